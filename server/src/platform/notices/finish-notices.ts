import type { Ctx } from "../context.ts";
import type { ClaimedNotice } from "./claim-notices.ts";
import { deleteOldNotices, updateFinished, updateRetried, updateReturned } from "./sql.ts";

const retentionDays = 30;

/** Ends notices of one lease and deletes their params. Changes nothing if another worker has the lease. Returns how many ended. */
export async function finishNotices(
  ctx: Ctx,
  notices: readonly ClaimedNotice[],
  end: { state: "sent" | "skipped" | "failed"; reason: string | null },
): Promise<number> {
  const [first] = notices;
  if (first === undefined) return 0;
  const ids = notices.map((notice) => notice.id);
  return ctx.transact((tx) => updateFinished(tx, { ids, lease: first.lease, ...end }));
}

/** Releases notices of one lease for a later attempt. */
export async function retryNotices(ctx: Ctx, notices: readonly ClaimedNotice[], again: { wait_ms: number; reason: string }): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const ids = notices.map((notice) => notice.id);
  await ctx.transact((tx) => updateRetried(tx, { ids, lease: first.lease, ...again }));
}

/** Releases notices of one lease that weren't started. */
export async function returnNotices(ctx: Ctx, notices: readonly ClaimedNotice[]): Promise<void> {
  for (const [lease, own] of Map.groupBy(notices, (one) => one.lease)) {
    const ids = own.map(({ id }) => id);
    await ctx.transact((tx) => updateReturned(tx, { ids, lease }));
  }
}

/** Removes notices that ended 30 days ago, at most `limit`. */
export function deleteFinishedNotices(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact((tx) => deleteOldNotices(tx, retentionDays, limit));
}
