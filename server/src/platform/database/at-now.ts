import type { Ctx } from "../context.ts";
import type { Db } from "../sql.ts";
import { findNow } from "./now.sql.ts";

/**
 * The context with the database's time in place of this process's, standing still as `findNow` read it: for work of several steps that decides by time, or
 * stores what later is compared with it. Asked after the statement that locked what is decided about.
 */
export async function atNow<C extends Pick<Ctx, "now">>(ctx: C, db: Db): Promise<C> {
  const now = await findNow(db);
  return { ...ctx, now: () => new Date(now) };
}
