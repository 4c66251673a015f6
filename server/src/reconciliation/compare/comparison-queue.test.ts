import { reviveComparisons } from "#gateways/comparison/claim-comparisons.ts";
import { updateComparisonDue, updateLeasedComparisons } from "#gateways/comparison/sql.ts";
import { comparisonQueue } from "#gateways/index.ts";
import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";

const app = await testApp({
  gateways: { adapters: [payingGateway({ lists: true }).adapter] },
  http: { perMinuteUnauthenticated: 100_000 },
});
const { ctx, clock } = app;
const day = 86_400_000;
const worlds = await gatewayShop(app);

queueContract({
  app,
  queue: comparisonQueue,
  leaseMs: 60_000,
  jobCount: 400,
  kills: 30,
  async add(count) {
    const others =
      "update gateway_comparisons set state = 'done', lease = null, lease_until = null where state <> 'done' and project_id <> ?";
    await runStatement(ctx.db, others, worlds.tenant.project_id);
    const ids = Array.from({ length: count }, () => ctx.id("gc"));
    for (const [at, id] of ids.entries())
      await runStatement(
        ctx.db,
        `insert into gateway_comparisons (project_id, livemode, credential_id, gateway, due_at, created_at)
          values (?, ?, ?, 'testpay', app_now() - ? * interval '1 millisecond', app_now())`,
        worlds.tenant.project_id,
        worlds.tenant.livemode,
        id,
        count - at,
      );
    return ids;
  },
  worker() {
    const names = createLeaseNames();
    const held = new Map<string, Parameters<typeof updateComparisonDue>[1]>();
    const give = async (jobs: string[], waitMs: number) => {
      let done = 0;
      for (const id of jobs) {
        const job = held.get(id);
        const dueAt = new Date(clock.now().getTime() + waitMs);
        if (job !== undefined) done += await ctx.transact((tx) => updateComparisonDue(tx, job, dueAt));
      }
      return done;
    };
    return {
      async claim(limit, alone = false) {
        const jobs = await ctx.transact((tx) => updateLeasedComparisons(tx, { lease: names.next(ctx), durationMs: 60_000, limit, alone }));
        for (const job of jobs) held.set(job.credential_id, job);
        return jobs.map(({ credential_id }) => credential_id);
      },
      end: (jobs) => give(jobs, 10 * day),
      release: async (jobs) => void (await give(jobs, 0)),
      async extend(jobs) {
        const leases = [...new Set(jobs.flatMap((id) => held.get(id)?.lease ?? []))];
        return (await ctx.transact((tx) => updateExtended(tx, comparisonQueue, { leases, durationMs: 60_000 }))).map(({ job }) => job);
      },
    };
  },
  sweep: () => reviveComparisons(ctx),
  sweepBy: (given) => reviveComparisons(given),
});
