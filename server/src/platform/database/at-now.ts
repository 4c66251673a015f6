import type { Ctx } from "../context.ts";
import type { Db } from "../sql.ts";
import { findNow } from "./now.sql.ts";

/**
 * The context with the database's time instead of this process's, fixed as `findNow` read it: for work of several steps that decides by
 * time, or stores times that are compared later. Call it after the statement that locked the rows.
 */
export async function atNow<C extends Pick<Ctx, "now">>(ctx: C, db: Db): Promise<C> {
  const now = await findNow(db);
  return { ...ctx, now: () => new Date(now) };
}
