import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { findCall } from "../read/find-calls.ts";
import type { CallRow } from "../shapes.ts";

/**
 * Runs a change of one call in a transaction, and returns the call. Only its ID is stored under an `Idempotency-Key`: a repeated request
 * returns the call's current state, without a text that was deleted since.
 */
export async function transactCall(ctx: Ctx, tenant: Tenant, work: (tx: Tx) => Promise<CallRow>): Promise<CallRow> {
  const done: { call?: CallRow } = {};
  const { id } = await ctx.transact(async (tx) => {
    done.call = await work(tx);
    return { id: done.call.id };
  });
  return done.call ?? findCall(ctx, tenant, id);
}
