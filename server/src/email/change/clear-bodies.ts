import { type Ctx, findNow, updatePlanning } from "#platform/index.ts";
import { insertLooseFiles } from "../files/sql.ts";
import { removeFiles } from "../files/sweep-mail-files.ts";
import { deleteBodies } from "./sql.ts";

const portion = 200;
const retentionMs = 30 * 86_400_000;

/**
 * Deletes texts, attachments and attempts thirty days after a message's scheduled time. The message itself, with the result of each
 * recipient, remains. Returns how many.
 */
export async function clearBodies(ctx: Ctx): Promise<number> {
  const { files, count } = await ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const gone = await deleteBodies(tx, new Date((await findNow(tx)).getTime() - retentionMs), portion);
    await insertLooseFiles(tx, gone.files, 0);
    return gone;
  });
  await removeFiles(ctx, files);
  return count;
}
