import type { Ctx } from "#platform/index.ts";
import { deleteEnded } from "./sql.ts";

const rowsAtOnce = 500;

/** Deletes ended sessions, one-time values and windows of attempts; returns how many. */
export function sweepSignIn(ctx: Pick<Ctx, "transact" | "now">): Promise<number> {
  return ctx.transact((tx) => deleteEnded(tx, rowsAtOnce));
}
