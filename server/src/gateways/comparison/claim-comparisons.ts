import { type Ctx, reviveJobs, type Wanted } from "#platform/index.ts";
import { type ComparisonJob, comparisonQueue, updateLeasedComparisons } from "./sql.ts";

/** Leases comparisons that are due. */
export function claimComparisons(ctx: Ctx, wanted: Wanted): Promise<ComparisonJob[]> {
  return ctx.transact((tx) => updateLeasedComparisons(tx, wanted));
}

/** Takes comparisons from lost workers; returns how many. */
export function reviveComparisons(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, comparisonQueue, "revive_comparisons");
}
