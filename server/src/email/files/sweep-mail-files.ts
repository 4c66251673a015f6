import { beginPass, type Ctx } from "#platform/index.ts";
import { deleteLooseFiles, listLooseFiles } from "./sql.ts";

const portion = 100;

/**
 * Removes stored bytes that no message owns: those of a process that was lost between storing and committing, those of deleted texts, and
 * those that the store refused to remove before. Returns how many were removed.
 */
export async function sweepMailFiles(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "sweep_mail_files", kind: "file" });
  // Those that wait are listed too, and hide none of the others.
  const keys = await listLooseFiles(ctx.db, portion + pass.waiting.length);
  const removed = await pass.each(
    keys,
    (key) => key,
    (key) => removeFiles(ctx, [key]),
  );
  if (keys.length < portion) pass.end();
  return removed;
}

/** Bytes first: a record without bytes is harmless, but bytes without a record would remain indefinitely. */
export async function removeFiles(ctx: Ctx, keys: string[]): Promise<void> {
  for (const key of keys) await ctx.files.remove(key);
  await deleteLooseFiles(ctx.db, keys);
}
