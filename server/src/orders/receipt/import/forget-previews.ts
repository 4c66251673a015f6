import type { Ctx } from "#platform/index.ts";
import { deleteOldPreviews } from "./sql.ts";

/** Removes previews of statements whose day is over; answers how many went. */
export function forgetPreviews(ctx: Ctx, limit = 100): Promise<number> {
  return ctx.transact((tx) => deleteOldPreviews(tx, limit));
}
