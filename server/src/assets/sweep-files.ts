import type { Ctx } from "#platform/index.ts";
import { deleteUnownedFile, listUnownedFiles } from "./sql.ts";

/**
 * Removes stored bytes that no asset owns (after a crash between storing and committing, or a deletion that the store refused); returns how
 * many.
 */
export async function sweepFiles(ctx: Ctx): Promise<number> {
  const keys = await listUnownedFiles(ctx.db, 100);
  for (const key of keys) {
    await ctx.files.remove(key);
    await deleteUnownedFile(ctx.db, key);
  }
  return keys.length;
}
