import { type Ctx, findNow, updatePlanning } from "#platform/index.ts";
import { deleteOldBodies, deleteOldReferences } from "./sql.ts";

const portion = 500;
const keptMs = 30 * 86_400_000;
/** No message is on its way for so long. */
const referenceKeptMs = 7 * 86_400_000;

/** Removes texts and the record of attempts thirty days after the time that a message was to be sent at; the message stays. Answers how many. */
export function forgetSmsBodies(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = (await findNow(tx)).getTime();
    await deleteOldReferences(tx, new Date(now - referenceKeptMs), portion);
    return deleteOldBodies(tx, new Date(now - keptMs), portion);
  });
}
