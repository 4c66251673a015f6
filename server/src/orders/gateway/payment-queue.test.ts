import { createLeaseNames, updateExtended } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { queueContract } from "#test/support/queues/queue-contract.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { reviveGatewayPayments } from "./process-payments.ts";
import { type PaymentJob, paymentQueue, updateLeasedPayments, updatePolled } from "./queue.sql.ts";

const app = await testApp({ gateways: { adapters: [payingGateway().adapter] } });
const { ctx } = app;
const leaseMs = 60_000;
const laterMs = 10 * 86_400_000;
const worlds = await gatewayShop(app);
await worlds.account("tp_queue");
/** Jobs that ended well: they are like new ones, and creating a payment takes longer than what is tested with it. */
const ended = new Set<string>();

queueContract({
  app,
  queue: paymentQueue,
  leaseMs,
  async add(count) {
    const ids = [...ended].slice(0, count);
    for (const id of ids) ended.delete(id);
    while (ids.length < count) {
      const { session } = await worlds.started();
      ids.push((await findGatewayPayment(ctx.db, worlds.tenant, session.id))?.id ?? "");
    }
    await runStatement(
      ctx.db,
      `update gateway_payments p set due_at = app_now() - (? + 1 - given.place) * interval '1 millisecond'
        from unnest(?::text[]) with ordinality as given (id, place) where p.id = given.id`,
      count,
      ids,
    );
    return ids;
  },
  worker() {
    const names = createLeaseNames();
    const held = new Map<string, PaymentJob>();
    const give = async (jobs: string[], calendarMs: number) => {
      let done = 0;
      for (const id of jobs) {
        const job = held.get(id);
        if (job === undefined) continue;
        const next = { watchedMs: [calendarMs], calendarMs, until: null, asks: 1, silentAsks: 0, wasOpen: true };
        const changed = await ctx.transact((tx) => updatePolled(tx, job, next));
        if (changed > 0 && calendarMs > 0) ended.add(id);
        done += changed;
      }
      return done;
    };
    return {
      async claim(limit, alone = false) {
        const jobs = await ctx.transact((tx) => updateLeasedPayments(tx, { lease: names.next(ctx), durationMs: leaseMs, limit, alone }));
        for (const job of jobs) held.set(job.id, job);
        return jobs.map(({ id }) => id);
      },
      end: (jobs) => give(jobs, laterMs),
      release: async (jobs) => void (await give(jobs, 0)),
      async extend(jobs) {
        const leases = [...new Set(jobs.flatMap((id) => held.get(id)?.lease ?? []))];
        return (await ctx.transact((tx) => updateExtended(tx, paymentQueue, { leases, durationMs: leaseMs }))).map(({ job }) => job);
      },
    };
  },
  sweep: () => reviveGatewayPayments(ctx),
  sweepBy: (given) => reviveGatewayPayments(given),
});
