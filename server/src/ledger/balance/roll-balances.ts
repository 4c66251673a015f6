import type { Ctx } from "#platform/index.ts";
import { updateBalances } from "./balances.sql.ts";

/**
 * Folds at most `limit` tail rows into the balance snapshots and returns how many; concurrent calls share the work. Readers see the same
 * balance before and after.
 */
export function rollBalances(ctx: Ctx, limit: number): Promise<number> {
  return ctx.transact((tx) => updateBalances(tx, limit));
}
