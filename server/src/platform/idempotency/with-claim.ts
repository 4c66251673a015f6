import type { Claim, Ctx } from "../context.ts";
import { runClaimed } from "./idempotency.ts";

/**
 * A context whose first `transact` writes this key with its effect, or returns the committed result of an earlier one. For background work.
 */
export function withClaim(ctx: Ctx, given: Omit<Claim, "replayed" | "used">): Ctx {
  const claim: Claim = { ...given, replayed: false, used: false };
  return {
    ...ctx,
    claim,
    async transact(work) {
      if (claim.used) return ctx.transact(work);
      const result = await ctx.transact((tx) => runClaimed(tx, claim, () => work(tx)));
      claim.used = true;
      return result;
    },
  };
}
