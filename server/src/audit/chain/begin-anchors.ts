import type { Ctx } from "#platform/index.ts";
import { type AnchorKeeper, anchorAudit } from "./anchor-audit.ts";
import { recordAnchorsBegun } from "./anchors-kept.ts";

/**
 * Begins the anchors anew, for a person who knows why the ones of before no longer fit, such as after a restore. Says so in the audit log, sets
 * aside what was kept, and anchors at once. Answers where the earlier anchors are now; null when there were none.
 */
export async function beginAnchors(ctx: Ctx, keeper: AnchorKeeper, reason: string): Promise<string | null> {
  const before = await keeper.list().catch(() => null);
  await recordAnchorsBegun(ctx, { reason, anchors: before?.length ?? null, newest: before?.at(-1)?.at ?? null });
  const kept = await keeper.setAside(ctx.now());
  await anchorAudit(ctx, keeper);
  return kept;
}
