import type { Ctx } from "../context.ts";
import { dropClaim, finishClaim, holdClaim } from "./idempotency.ts";

/**
 * Runs work of several transactions under the request's key: the result of a finished earlier request is returned, and failed work leaves
 * the key to the next request, unless another request with the same body is doing it too. Each step must be repeatable.
 */
export async function inSteps<T>(ctx: Ctx, work: (steps: Ctx) => Promise<T>): Promise<T> {
  const { claim } = ctx;
  const held = claim === null ? null : await ctx.transactUnclaimed((tx) => holdClaim(tx, claim));
  if (held?.state === "done") return held.result as T;
  try {
    const result = await work({ ...ctx, transact: ctx.transactUnclaimed });
    if (claim !== null) await ctx.transactUnclaimed((tx) => finishClaim(tx, claim, result));
    return result;
  } catch (error) {
    if (claim !== null && held?.state === "first") await ctx.transactUnclaimed((tx) => dropClaim(tx, claim));
    throw error;
  }
}
