import { type Ctx, findNow } from "#platform/index.ts";
import { updateForgottenBatches } from "./sql.ts";

const portion = 500;
const keptMs = 30 * 86_400_000;

/** Removes after thirty days what a batch's request said of each message: places and faults. The batch stays, as its messages do, with its numbers. Answers how many. */
export function forgetBatchDetails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => updateForgottenBatches(tx, new Date((await findNow(tx)).getTime() - keptMs), portion));
}
