import { type Ctx, findNow } from "#platform/index.ts";
import { deleteUsage, updateForgottenBatches } from "./sql.ts";

const portion = 500;
const dayMs = 86_400_000;
const detailsMs = 30 * dayMs;
/** A year with a month to spare, so that a month can be set beside the same one a year before. Quotas look at today, the usage page at thirty days. */
const usageMs = 400 * dayMs;

/** Removes after thirty days what a batch's request said of each message: places and faults. The batch stays, as its messages do, with its numbers. Answers how many. */
export function forgetBatchDetails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => updateForgottenBatches(tx, new Date((await findNow(tx)).getTime() - detailsMs), portion));
}

/** Removes the counts of days that nothing shows any more. Answers how many. */
export function forgetUsage(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => deleteUsage(tx, new Date((await findNow(tx)).getTime() - usageMs).toISOString().slice(0, 10), portion));
}
