import { type Ctx, findNow } from "#platform/index.ts";
import { deleteUsage } from "./sql.ts";

const portion = 500;
/** A year with a month to spare, so that a month can be set beside the same one a year before. Quotas look at today, the usage page at thirty days. */
const keptMs = 400 * 86_400_000;

/** Removes the counts of days that nothing shows any more. Answers how many. */
export function forgetUsage(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => deleteUsage(tx, new Date((await findNow(tx)).getTime() - keptMs).toISOString().slice(0, 10), portion));
}
