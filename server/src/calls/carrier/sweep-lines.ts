import type { Ctx } from "#platform/index.ts";
import { deleteExpiredLines } from "./sql.ts";

/** Deletes lines that a lost process left behind. Returns how many. */
export function sweepLines(ctx: Ctx): Promise<number> {
  return deleteExpiredLines(ctx.db, 1_000);
}
