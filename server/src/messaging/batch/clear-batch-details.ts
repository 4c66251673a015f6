import { type Ctx, findNow } from "#platform/index.ts";
import { updateClearedBatches } from "./sql.ts";

const portion = 500;
const retentionMs = 30 * 86_400_000;

/**
 * After thirty days, removes the details of a batch's request: positions and errors. The batch and its messages stay, with their totals.
 * Returns how many.
 */
export function clearBatchDetails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => updateClearedBatches(tx, new Date((await findNow(tx)).getTime() - retentionMs), portion));
}
