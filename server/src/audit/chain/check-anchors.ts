import { type Ctx, ownMerchantId } from "#platform/index.ts";
import { recordAudit } from "../record/record-audit.ts";
import { isOwnRow } from "../record/row-mac.ts";
import { findAnchoredDays } from "./chain.sql.ts";
import { listOfAction } from "./rows.sql.ts";

const action = "audit_anchors.begun_anew";

/**
 * Whether the anchors cover all days that the database has as anchored; one message for each end that is missing. Days before a person last
 * restarted the anchors aren't required. Days in between may be missing, because another machine did the work. `list` is called after the
 * database was read: a process that anchors at this moment adds its anchor first, and the day in the database afterwards.
 */
export async function checkAnchorsExist(
  ctx: Pick<Ctx, "db" | "masterKeys">,
  list: () => Promise<readonly { at: string }[]>,
): Promise<string[]> {
  const firstDay = await findFirstDay(ctx);
  const known = await findAnchoredDays(ctx.db, firstDay);
  const [first, last] = [firstDay ?? known.first, known.last ?? firstDay];
  if (first === null || last === null) return [];
  const anchors = await list();
  const [oldest, newest] = [anchors[0], anchors.at(-1)].map((anchor) => anchor?.at.slice(0, 10));
  if (oldest === undefined || newest === undefined) return [`the log was anchored from ${first} to ${last}, and no anchor is left`];
  return [
    ...(oldest > first ? [`the log was anchored from ${first} on, and the oldest anchor that is left is of ${oldest}`] : []),
    ...(newest < last ? [`the log was anchored until ${last}, and the newest anchor that is left is of ${newest}`] : []),
  ];
}

/** The day on which the anchors were last restarted, according to a row with this program's seal. */
async function findFirstDay(ctx: Pick<Ctx, "db" | "masterKeys">): Promise<string | null> {
  const rows = await listOfAction(ctx.db, { merchant_id: ownMerchantId, action });
  // The key that sealed a row may have been revoked since; a row with a position in a chain is protected by the chain.
  const own = rows.find((row) => row.is_chained || (row.mac !== null && isOwnRow(ctx.masterKeys, { ...row, mac: row.mac })));
  return own?.created_at.toISOString().slice(0, 10) ?? null;
}

/** Records in the audit log that the anchors are restarted, why, and what existed before. */
export async function recordAnchorsStarted(
  ctx: Ctx,
  detail: { reason: string; anchors: number | null; newest: string | null },
): Promise<void> {
  await ctx.transact((tx) =>
    recordAudit(tx, { ctx, tenant: null, merchant_id: ownMerchantId, action, object_type: "audit_log", object_id: null, detail }),
  );
}
