import { newRounds } from "#messaging/sending/rounds.ts";
import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { accepted, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import type { QueueHand, QueueUnderTest } from "#test/support/queues/queue-hand.ts";
import { partitionsAtOnce, turnsContract } from "#test/support/queues/turns-contract.ts";
import { smsQueue } from "../channel/tables.sql.ts";
import { partsOf } from "../text/encode-parts.ts";
import type { SmsOutcome } from "../transport.ts";
import { type ClaimedSms, claimAlone, claimDue, leaseMs } from "./claim-due.ts";
import { endSends } from "./end-sends.ts";
import { reviveSms } from "./revive-sms.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]) });
const { ctx } = app;
const room = smsRoom(ctx, [carrier]);
const tenant = await liveShop(app);

const queue: QueueUnderTest = {
  app,
  queue: smsQueue,
  leaseMs,
  jobCount: 40,
  kills: 6,
  sweep: () => reviveSms(ctx),
  sweepBy: reviveSms,
  async add(count) {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) {
      made.push((await room.send(tenant, { to: `+1415555${String(2000 + n)}` })).id);
      app.clock.advance(1);
    }
    return made;
  },
  worker(): QueueHand {
    const names = createLeaseNames();
    const held = new Map<string, ClaimedSms>();
    const heldOf = (jobs: string[]) => jobs.flatMap((job) => held.get(job) ?? []);
    const end = (jobs: string[], outcomeOf: (claimed: ClaimedSms) => SmsOutcome | null) =>
      ctx.transact((tx) =>
        endSends(
          tx,
          ctx,
          heldOf(jobs).map((job) => ({ job, outcome: outcomeOf(job) })),
        ),
      );
    return {
      async claim(limit, alone = false) {
        const claiming = { livemode: true, room: limit, partitionMax: limit, lease: names.next(ctx), leaseMs };
        const rounds = newRounds({ usual: 100_000, reserved: 0 }, partitionsAtOnce);
        const claimed = await ctx.transact((tx) => (alone ? claimAlone(tx, ctx, claiming) : claimDue(tx, ctx, { rounds, claiming })));
        for (const one of claimed) held.set(one.sms.id, one);
        return claimed.map(({ sms }) => sms.id);
      },
      async end(jobs) {
        const before = await countHeld(heldOf(jobs));
        await end(jobs, (claimed) => accepted(outgoing(claimed)));
        return before - (await countHeld(heldOf(jobs)));
      },
      release: (jobs) => end(jobs, () => null),
      async extend(jobs) {
        const leases = [...new Set(heldOf(jobs).map(({ lease }) => lease))];
        return (await ctx.transact((tx) => updateExtended(tx, smsQueue, { leases, durationMs: leaseMs }))).map(({ job }) => job);
      },
    };
  },
};

turnsContract({
  ...queue,
  shop: () => liveShop(app),
  livemode: true,
  send: async (given) => (await room.send(given)).id,
});
queueContract(queue);

function outgoing({ sms, body }: ClaimedSms) {
  const { project_id, livemode, id, sender, sender_kind, recipient, country, segments_sent, attempts, expires_at } = sms;
  const from = { value: sender, kind: sender_kind };
  const text = body ?? "";
  return {
    project_id,
    livemode,
    sms_id: id,
    from,
    to: recipient,
    country,
    body: text,
    parts: partsOf(text, 0),
    firstPart: segments_sent,
    firstPartsBy: null,
    attempt: attempts,
    turn: 0,
    expires_at,
  };
}

/** How many of them still have the lease that they were claimed with. */
async function countHeld(claimed: ClaimedSms[]): Promise<number> {
  const rows = await Promise.all(claimed.map(async ({ sms, lease }) => ({ lease, row: await room.find(sms, sms.id) })));
  return rows.filter(({ lease, row }) => row.state === "leased" && row.lease === lease).length;
}
