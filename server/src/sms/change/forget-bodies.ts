import { type Ctx, findNow, updatePlanning } from "#platform/index.ts";
import { deleteOldBodies, deleteOldReferences } from "./sql.ts";

const portion = 500;
const keptMs = 30 * 86_400_000;
/** No message is in transit for this long. */
const referenceKeptMs = 7 * 86_400_000;

/** Deletes texts and attempts thirty days after a message's scheduled time; the message remains. Returns how many. */
export function forgetSmsBodies(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = (await findNow(tx)).getTime();
    await deleteOldReferences(tx, new Date(now - referenceKeptMs), portion);
    return deleteOldBodies(tx, new Date(now - keptMs), portion);
  });
}
