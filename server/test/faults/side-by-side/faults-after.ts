import { auditChain, chainAudit } from "#audit/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import { listTraces, type Trace } from "#test/support/load/kill.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { countWaiting } from "#test/support/webhooks/webhooks.sql.ts";
import type { Done } from "./done.ts";
import { mailDomain } from "./mail-stories.ts";
import { countDeaths, countInProgress, listEventCounts, listFanned } from "./side-by-side.sql.ts";
import type { SideBySide } from "./world.ts";

/** Waits until everything owed was sent, and returns what was lost or arrived twice, and whether the books agree. */
export async function faultsAfter(world: SideBySide, { done, endpoints }: { done: Done; endpoints: string[] }): Promise<string[]> {
  const { ctx } = world;
  const inProgress = () => countInProgress(ctx.db, { endpoints, mails: mailDomain });
  await eventually("nothing is due or under way", async () => (await inProgress()) === 0, { everyMs: 500, withinMs: 600_000 });
  // Long texts that the old version couldn't read wait for their next attempt, and orders for their expiry.
  await world.skipHours();
  await eventually("every delivery has been taken", async () => (await countWaiting(ctx.db, endpoints)) === 0, {
    everyMs: 500,
    withinMs: 600_000,
  });
  await eventually("every mail has come", () => hasAll(world, done), { everyMs: 500, withinMs: 600_000 });
  await eventually("every order has ended", async () => (await countOpen(world, done)) === 0, { everyMs: 500, withinMs: 600_000 });
  while ((await chainAudit(ctx)) > 0);
  return [
    ...(await faultsOfOrders(world, done)),
    ...faultsOfMails(world, done),
    ...(await faultsOfDeliveries(world, endpoints)),
    ...(await auditBooks(ctx)).map((fault) => JSON.stringify(fault)),
    ...(await auditLedger(ctx)).faults.map((fault) => JSON.stringify(fault)),
    ...(await auditChain(ctx)).faults,
  ];
}

async function tracesOf({ ctx, known }: SideBySide): Promise<Map<string, Trace>> {
  const shops = [known.shops[0], known.shops[2]].filter((shop) => shop !== undefined);
  const traces = (await Promise.all(shops.map((shop) => listTraces(ctx.db, shop)))).flat();
  return new Map(traces.map((trace) => [trace.id, trace]));
}

async function countOpen(world: SideBySide, { orders }: Done): Promise<number> {
  const traces = await tracesOf(world);
  return orders.filter(({ id }) => traces.get(id)?.status === "unpaid").length;
}

/** Every order has the status its caller left it in, and each of its events was written once. */
async function faultsOfOrders(world: SideBySide, done: Done): Promise<string[]> {
  const traces = await tracesOf(world);
  const expired = new Map((await listEventCounts(world.ctx.db, "order.expired")).map(({ order_id, times }) => [order_id, times]));
  return done.orders.flatMap(({ id, status }) => {
    const trace = traces.get(id);
    if (trace === undefined) return [`${id} was acknowledged and is not there`];
    const isComplete = trace.created_events === 1 && trace.paid_events === (trace.status === "paid" ? 1 : 0);
    const ended =
      trace.status === "expired"
        ? [`${id} expired, and ${expired.get(id) ?? 0} events tell of it`].filter(() => expired.get(id) !== 1)
        : [];
    return [
      ...(trace.status === status ? [] : [`${id} is ${trace.status} and not ${status}`]),
      ...(isComplete ? [] : [`${id} is ${trace.status} and has ${trace.created_events} order.created and ${trace.paid_events} order.paid`]),
      ...ended,
    ];
  });
}

function hasAll({ emailsTo }: SideBySide, { mails }: Done): boolean {
  return mails.every(({ to, comes }) => !comes || emailsTo.has(to));
}

/** Every email arrived once, and no canceled one did. */
function faultsOfMails({ emailsTo }: SideBySide, { mails }: Done): string[] {
  return mails.flatMap(({ to, comes }) => {
    const count = emailsTo.get(to) ?? 0;
    return count === (comes ? 1 : 0) ? [] : [`the mail to ${to} came ${count} times`];
  });
}

/** Every event owed to an endpoint was taken there once, and no worker was considered lost. */
async function faultsOfDeliveries({ ctx, taken }: SideBySide, endpoints: string[]): Promise<string[]> {
  const fanned = await listFanned(ctx.db, endpoints);
  const deaths = await countDeaths(ctx.db);
  return [
    ...fanned.flatMap(({ url, event_id, state }) => {
      const count = taken.get(`${new URL(url).pathname} ${event_id}`) ?? 0;
      return state === "succeeded" && count === 1 ? [] : [`${event_id} is ${state} and was taken ${count} times`];
    }),
    ...(deaths === 0 ? [] : [`${deaths} workers were taken for lost`]),
  ];
}
