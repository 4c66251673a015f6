import { newRounds } from "#messaging/sending/rounds.ts";
import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { newEmail, taken } from "#test/support/mail/mail.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import type { QueueHand, QueueUnderTest } from "#test/support/queues/queue-hand.ts";
import { partitionsAtOnce, turnsContract } from "#test/support/queues/turns-contract.ts";
import { createEmail } from "../accept/create-email.ts";
import { emailQueue } from "../channel/tables.sql.ts";
import { listRecipients } from "../rows.sql.ts";
import type { RecipientRow } from "../shapes.ts";
import { jobOf } from "./claim.sql.ts";
import { type ClaimedEmail, claimAlone, claimDue, leaseMs } from "./claim-due.ts";
import { type Ended, endSends } from "./end-sends.ts";
import { reviveEmails } from "./revive-emails.ts";

const app = await testApp();
const { ctx } = app;
const tenant = await app.tenant({ livemode: true });

const queue: QueueUnderTest = {
  app,
  queue: emailQueue,
  leaseMs,
  jobCount: 40,
  kills: 6,
  sweep: () => reviveEmails(ctx),
  sweepBy: reviveEmails,
  async add(count) {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { recipients } = await createEmail(ctx, tenant, { tier: "pro", email: newEmail({ to: `reader-${n}@lovelace.dev` }) });
      made.push(...recipients.map(jobOf));
      app.clock.advance(1);
    }
    return made;
  },
  worker(): QueueHand {
    const names = createLeaseNames();
    const held = new Map<string, ClaimedEmail>();
    const heldOf = (jobs: string[]) => jobs.flatMap((job) => held.get(job) ?? []);
    const end = (jobs: string[], outcome: Ended["outcome"]) =>
      ctx.transact((tx) =>
        endSends(
          tx,
          ctx,
          heldOf(jobs).map(({ email, recipient }) => ({ key: email, recipient, lease: recipient.lease, outcome })),
        ),
      );
    return {
      async claim(limit, alone = false) {
        const claiming = { livemode: true, room: limit, partitionMax: limit, lease: names.next(ctx), leaseMs };
        const rounds = newRounds({ usual: 100_000, reserved: 0 }, partitionsAtOnce);
        const claimed = await ctx.transact((tx) => (alone ? claimAlone(tx, ctx, claiming) : claimDue(tx, ctx, { rounds, claiming })));
        for (const one of claimed) held.set(jobOf(one.recipient), one);
        return claimed.map(({ recipient }) => jobOf(recipient));
      },
      async end(jobs) {
        const before = await countHeld(heldOf(jobs));
        await end(jobs, taken);
        return before - (await countHeld(heldOf(jobs)));
      },
      release: (jobs) => end(jobs, null),
      async extend(jobs) {
        const leases = [...new Set(heldOf(jobs).map(({ recipient }) => recipient.lease))];
        return (await ctx.transact((tx) => updateExtended(tx, emailQueue, { leases, durationMs: leaseMs }))).map(({ job }) => job);
      },
    };
  },
};

turnsContract({
  ...queue,
  shop: () => app.tenant({ livemode: true }),
  livemode: true,
  async send(given) {
    const { recipients } = await createEmail(ctx, given, { tier: "pro", email: newEmail() });
    return jobOf(recipients[0] as RecipientRow);
  },
});
queueContract(queue);

/** How many of them still have the lease that they were claimed with. */
async function countHeld(claimed: ClaimedEmail[]): Promise<number> {
  const leases = new Map(claimed.map(({ recipient }) => [recipient.id, recipient.lease]));
  const ids = claimed.map(({ email }) => email.id);
  return (await listRecipients(ctx.db, tenant, ids)).filter((row) => row.state === "leased" && row.lease === leases.get(row.id)).length;
}
