import type { Ctx } from "../context.ts";
import type { ClaimedNotice } from "./claim-notices.ts";
import { deleteOldNotices, updateFinished, updateRetried, updateReturned } from "./sql.ts";

const keptDays = 30;

/** Ends notices of one lease and forgets their params. Changes nothing once the lease belongs to somebody else. Answers how many ended. */
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

/** Gives notices of one lease back for a later try. */
export async function retryNotices(ctx: Ctx, notices: readonly ClaimedNotice[], again: { wait_ms: number; reason: string }): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const ids = notices.map((notice) => notice.id);
  await ctx.transact((tx) => updateRetried(tx, { ids, lease: first.lease, ...again }));
}

/** Gives notices of one lease back that were not begun. */
export async function returnNotices(ctx: Ctx, notices: readonly ClaimedNotice[]): Promise<void> {
  for (const [lease, own] of Map.groupBy(notices, (one) => one.lease)) {
    const ids = own.map(({ id }) => id);
    await ctx.transact((tx) => updateReturned(tx, { ids, lease }));
  }
}

/** Removes what ended 30 days ago, at most `limit`. */
export function forgetNotices(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact((tx) => deleteOldNotices(tx, keptDays, limit));
}
