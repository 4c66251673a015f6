import { type Ctx, findNow } from "#platform/index.ts";
import { deleteUsage } from "./sql.ts";

const portion = 500;
/**
 * A year plus a month, so that a month can be compared with the same one a year before. Quotas use today's count, the usage page thirty
 * days.
 */
const retentionMs = 400 * 86_400_000;

/** Removes the counts of days that aren't shown any more. Returns how many. */
export function deleteOldUsage(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) =>
    deleteUsage(tx, new Date((await findNow(tx)).getTime() - retentionMs).toISOString().slice(0, 10), portion),
  );
}
