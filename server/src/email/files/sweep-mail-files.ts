import type { Ctx } from "#platform/index.ts";
import { deleteLooseFiles, listLooseFiles } from "./sql.ts";

const portion = 100;

/**
 * Removes stored bytes that no message owns: of a process that was lost between storing and committing, of texts that are no longer kept, and what the store
 * refused to remove before. Answers how many went.
 */
export async function sweepMailFiles(ctx: Ctx): Promise<number> {
  const keys = await listLooseFiles(ctx.db, portion);
  await removeFiles(ctx, keys);
  return keys.length;
}

/** Bytes first: a record without bytes is harmless, bytes without a record would stay forever. */
export async function removeFiles(ctx: Ctx, keys: string[]): Promise<void> {
  for (const key of keys) await ctx.files.remove(key);
  await deleteLooseFiles(ctx.db, keys);
}
