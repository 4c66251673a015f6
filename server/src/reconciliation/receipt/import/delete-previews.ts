import type { Ctx } from "#platform/index.ts";
import { deleteOldPreviews } from "./sql.ts";

/** Removes statement previews that are older than a day; returns how many. */
export function deletePreviews(ctx: Ctx, limit = 100): Promise<number> {
  return ctx.transact((tx) => deleteOldPreviews(tx, limit));
}
