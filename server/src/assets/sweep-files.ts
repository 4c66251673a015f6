import { beginPass, type Ctx } from "#platform/index.ts";
import { deleteUnownedFile, listUnownedFiles } from "./sql.ts";

const portion = 100;

/**
 * Removes stored bytes that no asset owns (after a crash between storing and committing, or a deletion that the store refused); returns how
 * many.
 */
export async function sweepFiles(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "sweep_files", kind: "file" });
  // Those that wait are listed too, and hide none of the others.
  const keys = await listUnownedFiles(ctx.db, portion + pass.waiting.length);
  const removed = await pass.each(
    keys,
    (key) => key,
    async (key) => {
      await ctx.files.remove(key);
      await deleteUnownedFile(ctx.db, key);
    },
  );
  if (keys.length < portion) pass.end();
  return removed;
}
