import { type Ctx, lockLapsed, sweepQueue, tellSetAside, updateJudged, type Wanted } from "#platform/index.ts";
import { readTold } from "./read-told.ts";
import { type CallbackJob, callbackQueue, deleteOldCallbacks, updateLeasedCallbacks } from "./sql.ts";

/** Longer than any provider repeats an event. */
const keptDays = 90;

/** Leases callbacks that were stored and not applied. */
export async function claimCallbacks(ctx: Ctx, wanted: Wanted): Promise<CallbackJob[]> {
  const jobs = await ctx.transact((tx) => updateLeasedCallbacks(tx, wanted));
  return jobs.map((job) => ({ ...job, told: readTold(job.told) }));
}

/** Takes callbacks from workers that were lost; answers how many. */
export function reviveCallbacks(ctx: Ctx): Promise<number> {
  return sweepQueue(ctx, callbackQueue.name, async (tx, judge) => {
    const lapsed = await judge(await lockLapsed<{ id: string }>(tx, callbackQueue, { limit: 2_000, columns: (tag) => tag`, q.id` }));
    const judged = lapsed.map((one) => ({ ...one, state: one.isSetAside ? "set_aside" : "due" }));
    await updateJudged(tx, callbackQueue, judged);
    await tellSetAside(tx, ctx, { queue: callbackQueue.name, jobs: lapsed.filter(({ isSetAside }) => isSetAside).map(({ id }) => id) });
    return lapsed.length;
  });
}

/** Forgets what was applied long ago, at most `limit`. */
export function forgetCallbacks(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact((tx) => deleteOldCallbacks(tx, keptDays, limit));
}
