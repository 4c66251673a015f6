import { newRounds } from "#messaging/sending/rounds.ts";
import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callOf, outcomeOfCall } from "#test/support/messages/calls.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import type { QueueHand, QueueUnderTest } from "#test/support/queues/queue-hand.ts";
import { partitionsAtOnce, turnsContract } from "#test/support/queues/turns-contract.ts";
import { createCall } from "../accept/create-call.ts";
import { callQueue } from "../channel/tables.sql.ts";
import { lockCalls } from "../rows.sql.ts";
import { type ClaimedCall, claimCallAlone, claimCalls, leaseMs } from "./claim-calls.ts";
import { endCalls } from "./end-calls.ts";
import { reviveCalls } from "./revive-calls.ts";

const app = await testApp({ calls: { atOnce: 1_000 } });
const { ctx } = app;
const tenant = await app.tenant();

const outcome = () => outcomeOfCall({ status: "failed", sip_code: 404, reason: null, hangup_by: null, error: null }, ctx.now());

const queue: QueueUnderTest = {
  app,
  queue: callQueue,
  leaseMs,
  jobCount: 40,
  kills: 6,
  sweep: () => reviveCalls(ctx),
  sweepBy: reviveCalls,
  async add(count) {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const to = `+1415555${String(2_000 + (n % 8_000)).padStart(4, "0")}`;
      made.push((await createCall(ctx, tenant, { tier: "system", call: callOf({ to, expires_in: 86_400 }) })).id);
      app.clock.advance(1);
    }
    return made;
  },
  worker(): QueueHand {
    const names = createLeaseNames();
    const held = new Map<string, ClaimedCall>();
    const heldOf = (jobs: string[]) => jobs.flatMap((job) => held.get(job) ?? []);
    const countHeld = (jobs: string[]) =>
      ctx.transact(async (tx) => {
        const rows = await lockCalls(
          tx,
          heldOf(jobs).map(({ call }) => call),
        );
        return rows.filter((row) => row.state === "leased" && row.lease === held.get(row.id)?.lease).length;
      });
    const end = (jobs: string[], well: boolean) =>
      ctx.transact((tx) =>
        endCalls(
          tx,
          ctx,
          heldOf(jobs).map(({ call, lease }) => ({ key: call, lease, outcome: well ? outcome() : null })),
        ),
      );
    return {
      async claim(limit, alone = false) {
        const claiming = { livemode: false, room: limit, partitionMax: limit, lease: names.next(ctx), leaseMs };
        const rounds = newRounds({ usual: 100_000, reserved: 0 }, partitionsAtOnce);
        const claimed = await ctx.transact((tx) => (alone ? claimCallAlone(tx, ctx, claiming) : claimCalls(tx, ctx, { rounds, claiming })));
        for (const one of claimed) held.set(one.call.id, one);
        return claimed.map(({ call }) => call.id);
      },
      async end(jobs) {
        const before = await countHeld(jobs);
        await end(jobs, true);
        return before - (await countHeld(jobs));
      },
      release: (jobs) => end(jobs, false),
      async extend(jobs) {
        const leases = [...new Set(heldOf(jobs).map(({ lease }) => lease))];
        return (await ctx.transact((tx) => updateExtended(tx, callQueue, { leases, durationMs: leaseMs }))).map(({ job }) => job);
      },
    };
  },
};

turnsContract({
  ...queue,
  shop: () => app.tenant(),
  livemode: false,
  send: async (given) => (await createCall(ctx, given, { tier: "system", call: callOf({ expires_in: 86_400 }) })).id,
});
queueContract(queue);
