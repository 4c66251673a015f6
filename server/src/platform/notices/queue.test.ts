import {
  claimNotices,
  createLeaseNames,
  finishNotices,
  notice,
  noticeLeaseMs,
  noticeQueue,
  returnNotices,
  reviveNotices,
} from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import type { QueueHand } from "#test/support/queues/queue-hand.ts";
import { updateExtended } from "../queue/lease.sql.ts";

const app = await testApp();
const { ctx } = app;

queueContract({
  app,
  queue: noticeQueue,
  leaseMs: noticeLeaseMs,
  sweep: () => reviveNotices(ctx),
  sweepBy: reviveNotices,
  async add(count) {
    const before = new Set((await listNotices(ctx.db, "contract")).map(({ id }) => id));
    for (let n = 0; n < count; n += 1) {
      await ctx.transact((tx) => notice(tx, ctx, { kind: "contract", recipient: "a@example.com", params: {} }));
      app.clock.advance(1);
    }
    return (await listNotices(ctx.db, "contract")).filter(({ id }) => !before.has(id)).map(({ id }) => id);
  },
  worker(): QueueHand {
    const names = createLeaseNames();
    const held = new Map<string, Awaited<ReturnType<typeof claimNotices>>[number]>();
    return {
      async claim(limit, alone = false) {
        const claimed = await claimNotices(ctx, { lease: names.next(ctx), durationMs: noticeLeaseMs, limit, alone, gatherings: [] });
        for (const one of claimed) held.set(one.id, one);
        const [own, others] = [claimed.filter(({ kind }) => kind === "contract"), claimed.filter(({ kind }) => kind !== "contract")];
        // Notices for operators work the same way.
        await finishNotices(ctx, others, { state: "sent", reason: null });
        return own.map(({ id }) => id);
      },
      async end(jobs) {
        let ended = 0;
        for (const job of jobs)
          ended += held.has(job) ? await finishNotices(ctx, [held.get(job) as never], { state: "sent", reason: null }) : 0;
        return ended;
      },
      async extend(jobs) {
        const own = jobs.flatMap((job) => held.get(job) ?? []);
        const leases = [...new Set(own.map(({ lease }) => lease))];
        const extended = await ctx.transact((tx) => updateExtended(tx, noticeQueue, { leases, durationMs: noticeLeaseMs }));
        return extended.map(({ job }) => job);
      },
      release: async (jobs) =>
        returnNotices(
          ctx,
          [...held.values()].filter(({ id }) => jobs.includes(id)),
        ),
    };
  },
});
