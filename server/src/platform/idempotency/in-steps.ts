import type { Ctx } from "../context.ts";
import { finishClaim, holdClaim, releaseClaim } from "./idempotency.ts";

/**
 * Runs work of several transactions under the request's key: the result of a finished earlier request is returned, and unfinished work
 * leaves the key to the next request. Each step must be repeatable.
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
