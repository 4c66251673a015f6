import { type Ctx, notice, sweepRows, type Tx, updatePlanning } from "#platform/index.ts";
import { type FailingReceiver, lockFailingReceivers, updateOverdue, updateReceiversWarned, updateTold } from "./overdue.sql.ts";

/** As long as an endpoint is tried without a success. An open breaker uses up no retries, so nothing else ends what waits for it. */
const endAfterHours = 120;
const tellAfterHours = 24;
const tellEveryHours = 24;

/** Ends callbacks whose time is over, although they were never tried often enough. Returns how many. */
export function endOverdueCallbacks(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    return updateOverdue(tx, endAfterHours, limit);
  });
}

/**
 * Notifies merchants of callbacks that have been failing for a day: once for each outage of a receiver, and at most once a day for a
 * project, which can have thousands of them. Returns how many receivers were looked at.
 */
export function watchCallbacks(ctx: Ctx, limit = 500): Promise<number> {
  return sweepRows<FailingReceiver>(ctx, {
    task: "watch_failing_callbacks",
    kind: "receiver",
    limit,
    take: (tx, wanted) => lockFailingReceivers(tx, tellAfterHours, wanted),
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    work: (tx, receivers) => notifyOfReceivers(tx, ctx, receivers),
  });
}

async function notifyOfReceivers(tx: Tx, ctx: Ctx, receivers: readonly FailingReceiver[]): Promise<number> {
  await updateReceiversWarned(tx, receivers);
  for (const [, own] of Map.groupBy(receivers, ({ project_id, livemode }) => `${project_id} ${livemode}`)) {
    const [first] = own;
    if (first === undefined || !(await updateTold(tx, first, tellEveryHours))) continue;
    const { project_id, livemode, failing_since, origin } = first;
    const params = { project_id, livemode, url: origin, others: own.length - 1, failing_since, ended_after_hours: endAfterHours };
    await notice(tx, ctx, { kind: "webhook.callbacks_failing", recipient: first.merchant_id, params });
  }
  return receivers.length;
}
