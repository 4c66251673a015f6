import type { Ctx } from "../context.ts";
import { finishClaim, holdClaim, releaseClaim } from "./idempotency.ts";

/**
 * Runs work of several transactions under the request's key: a finished earlier request's result is answered instead, and what was not finished leaves
 * the key to whoever comes next. Each step must bear being done again.
 */
export async function inSteps<T>(ctx: Ctx, work: (steps: Ctx) => Promise<T>): Promise<T> {
  const { claim } = ctx;
  const done = claim === null ? null : await ctx.transactUnclaimed((tx) => holdClaim(tx, claim));
  if (done !== null) return done.result as T;
  try {
    const result = await work({ ...ctx, transact: ctx.transactUnclaimed });
    if (claim !== null) await ctx.transactUnclaimed((tx) => finishClaim(tx, claim, result));
    return result;
  } catch (error) {
    if (claim !== null) await ctx.transactUnclaimed((tx) => releaseClaim(tx, claim));
    throw error;
  }
}
