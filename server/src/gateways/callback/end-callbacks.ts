import { type Ctx, reviveJobs, type Wanted } from "#platform/index.ts";
import { readReport } from "./read-report.ts";
import { type CallbackJob, callbackQueue, deleteOldCallbacks, updateLeasedCallbacks } from "./sql.ts";

/** Longer than any provider repeats an event. */
const retentionDays = 90;

/** Leases callbacks that were stored but not applied. */
export async function claimCallbacks(ctx: Ctx, wanted: Wanted): Promise<CallbackJob[]> {
  const jobs = await ctx.transact((tx) => updateLeasedCallbacks(tx, wanted));
  return jobs.map((job) => ({ ...job, told: readReport(job.told) }));
}

/** Takes callbacks from lost workers; returns how many. */
export function reviveCallbacks(ctx: Ctx): Promise<number> {
  return reviveJobs(ctx, callbackQueue, "revive_callbacks");
}

/** Removes callbacks that were applied long ago, at most `limit`. */
export function deleteAppliedCallbacks(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact((tx) => deleteOldCallbacks(tx, retentionDays, limit));
}
