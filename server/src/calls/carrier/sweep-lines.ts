import type { Ctx } from "#platform/index.ts";
import { deleteExpiredLines } from "./sql.ts";

/** Forgets lines that a process left behind when it died. Answers how many. */
export function sweepLines(ctx: Ctx): Promise<number> {
  return deleteExpiredLines(ctx.db, 1_000);
}
