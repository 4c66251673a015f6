import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import { claimCallbacks, reviveCallbacks } from "./end-callbacks.ts";
import { type CallbackJob, callbackQueue, updateCallbackRetried } from "./sql.ts";
import { storeCallback } from "./store-callback.ts";

const app = await testApp();
const { ctx } = app;
const { project_id, livemode } = await app.tenant();
const leaseMs = 60_000;
const laterMs = 10 * 86_400_000;

async function storeOne(): Promise<string> {
  const id = ctx.id("gcb");
  const about = { reference: null, providerId: null };
  const row = { project_id, livemode, id, gateway: "stripe", credential_id: "gc_1", dedupe_key: id, event: "paid" };
  await storeCallback(ctx, { ...row, told: { kind: "ask", about }, is_done: false, wait_ms: 0 }, 500);
  return id;
}

queueContract({
  app,
  queue: callbackQueue,
  leaseMs,
  sweep: () => reviveCallbacks(ctx),
  sweepBy: reviveCallbacks,
  async add(count) {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) {
      made.push(await storeOne());
      app.clock.advance(1);
    }
    return made;
  },
  worker() {
    const names = createLeaseNames();
    const held = new Map<string, CallbackJob>();
    const heldOf = (jobs: string[]) => jobs.flatMap((job) => held.get(job) ?? []);
    // Needs the lease, unlike what was applied: that is applied, whichever worker did it under the order's lock.
    const give = async (jobs: string[], waitMs: number) => {
      let given = 0;
      for (const job of heldOf(jobs)) given += await ctx.transact((tx) => updateCallbackRetried(tx, job, waitMs));
      return given;
    };
    return {
      async claim(limit, alone = false) {
        const claimed = await claimCallbacks(ctx, { lease: names.next(ctx), durationMs: leaseMs, limit, alone });
        for (const one of claimed) held.set(one.id, one);
        return claimed.map(({ id }) => id);
      },
      end: (jobs) => give(jobs, laterMs),
      release: async (jobs) => void (await give(jobs, 0)),
      async extend(jobs) {
        const leases = [...new Set(heldOf(jobs).map(({ lease }) => lease))];
        return (await ctx.transact((tx) => updateExtended(tx, callbackQueue, { leases, durationMs: leaseMs }))).map(({ job }) => job);
      },
    };
  },
});
