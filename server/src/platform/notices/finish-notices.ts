import type { Ctx } from "../context.ts";
import type { ClaimedNotice } from "./claim-notices.ts";
import { deleteOldNotices, updateFinished, updateRetried } from "./sql.ts";

const keptDays = 30;

/** Ends notices of one lease and forgets their params. Changes nothing once the lease belongs to somebody else. */
export async function finishNotices(
  ctx: Ctx,
  notices: readonly ClaimedNotice[],
  end: { state: "sent" | "skipped" | "failed"; reason: string | null },
): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const ids = notices.map((notice) => notice.id);
  await ctx.transact((tx) => updateFinished(tx, { ids, lease: first.lease, ...end, now: ctx.now() }));
}

/** Gives notices of one lease back for a later try. */
export async function retryNotices(ctx: Ctx, notices: readonly ClaimedNotice[], again: { due: Date; reason: string }): Promise<void> {
  const [first] = notices;
  if (first === undefined) return;
  const ids = notices.map((notice) => notice.id);
  await ctx.transact((tx) => updateRetried(tx, { ids, lease: first.lease, ...again }));
}

/** Removes what ended 30 days ago, at most `limit`. */
export function forgetNotices(ctx: Ctx, limit = 1_000): Promise<number> {
  return ctx.transact((tx) => deleteOldNotices(tx, new Date(ctx.now().getTime() - keptDays * 86_400_000), limit));
}
