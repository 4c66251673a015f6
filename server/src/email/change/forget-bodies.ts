import { type Ctx, findNow, updatePlanning } from "#platform/index.ts";
import { insertLooseFiles } from "../files/sql.ts";
import { removeFiles } from "../files/sweep-mail-files.ts";
import { deleteBodies } from "./sql.ts";

const portion = 200;
const keptMs = 30 * 86_400_000;

/**
 * Removes texts, attachments and the record of attempts thirty days after the time that a message was to be sent at; the message itself, with what became of
 * each recipient, stays. Answers how many.
 */
export async function forgetBodies(ctx: Ctx): Promise<number> {
  const { files, count } = await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const gone = await deleteBodies(tx, new Date((await findNow(tx)).getTime() - keptMs), portion);
    await insertLooseFiles(tx, gone.files, 0);
    return gone;
  });
  await removeFiles(ctx, files);
  return count;
}
