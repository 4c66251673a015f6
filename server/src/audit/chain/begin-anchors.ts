import type { Ctx } from "#platform/index.ts";
import { type AnchorKeeper, anchorNow } from "./anchor-audit.ts";
import { listDaysAhead } from "./chain.sql.ts";
import { chainAudit } from "./chain-audit.ts";
import { recordAnchorsStarted } from "./check-anchors.ts";

/**
 * Restarts the anchors, for a person who knows why the earlier ones no longer match, such as after a restore. Records it in the audit log,
 * moves the earlier anchors away, and anchors right away. Returns the location of the earlier anchors, null if there were none; or null
 * without having done anything, because a backup is being taken.
 */
export async function beginAnchors(ctx: Ctx, keeper: AnchorKeeper, reason: string): Promise<{ aside: string | null } | null> {
  return await keeper.change(async () => {
    const before = await keeper.list().catch(() => null);
    const ahead = await listDaysAhead(ctx.db);
    await recordAnchorsStarted(ctx, { reason, anchors: before?.length ?? null, newest: before?.at(-1)?.at ?? null, ahead });
    // The first anchor covers that row: however the clock was set, it's after the earlier ones. The audit reports what prevents it.
    await chainAudit(ctx).catch(() => 0);
    const aside = await keeper.setAside(ctx.now());
    await anchorNow(ctx, keeper);
    return { aside };
  });
}
