import { type Ctx, ownMerchantId } from "#platform/index.ts";
import { recordAudit } from "../record/record-audit.ts";
import { isOwnRow } from "../record/row-mac.ts";
import { findAnchoredDays, findKeepsAnchors, listFollowed } from "./chain.sql.ts";
import { listOfAction } from "./rows.sql.ts";

const action = "audit_anchors.begun_anew";

/**
 * Whether the anchors cover all days that the database has as anchored; one message for each end that is missing. Days before a person last
 * restarted the anchors aren't required. Days in between may be missing, because another machine did the work. No clock decides this,
 * because one that is set back would hide what is missing. `list` is called after the database was read: a process that anchors at this
 * moment adds its anchor first, and the day in the database afterwards.
 */
export async function checkAnchorsExist(
  ctx: Pick<Ctx, "db" | "masterKeys">,
  list: () => Promise<readonly { at: string; mac: string }[]>,
): Promise<string[]> {
  const start = await findStart(ctx);
  const ahead = start?.ahead ?? [];
  const known = await findAnchoredDays(ctx.db, { from: start?.day ?? null, without: ahead });
  const followed = (await findKeepsAnchors(ctx.db)) ? await listFollowed(ctx.db) : new Set();
  const [first, last] = [start?.day ?? known.first, known.last ?? start?.day];
  if (first === null || last === undefined) return [];
  const anchors = await list();
  // In order, but for those from while the clock was ahead. Those from before the restart are no newer than it.
  const days = anchors
    .map(({ at }) => at.slice(0, 10))
    .filter((day) => !ahead.includes(day))
    .sort();
  const [oldest, newest, end] = [days[0], days.at(-1), anchors.at(-1)];
  if (oldest === undefined || newest === undefined || end === undefined)
    return [`the log was anchored from ${first} to ${last}, and no anchor is left`];
  return [
    ...(oldest > first ? [`the log was anchored from ${first} on, and the oldest anchor that is left is of ${oldest}`] : []),
    ...(newest < last ? [`the log was anchored until ${last}, and the newest anchor that is left is of ${newest}`] : []),
    ...(newest >= last && followed.has(end.mac) ? [`the log was anchored again after ${end.at}, and that anchor isn't left`] : []),
  ];
}

interface Start {
  day: string;
  /** Days after it that were anchored before, while the clock was ahead. */
  ahead: string[];
}

/** When the anchors were last restarted, according to a row with this program's seal. */
async function findStart(ctx: Pick<Ctx, "db" | "masterKeys">): Promise<Start | null> {
  const rows = await listOfAction(ctx.db, { merchant_id: ownMerchantId, action });
  // The key that sealed a row may have been revoked since; a row with a position in a chain is protected by the chain.
  const own = rows.find((row) => row.is_chained || (row.mac !== null && isOwnRow(ctx.masterKeys, { ...row, mac: row.mac })));
  if (own === undefined) return null;
  const { ahead = [] } = own.detail as { ahead?: string[] };
  return { day: own.created_at.toISOString().slice(0, 10), ahead };
}

/** Records in the audit log that the anchors are restarted, why, and what existed before. */
export async function recordAnchorsStarted(
  ctx: Ctx,
  detail: { reason: string; anchors: number | null; newest: string | null; ahead: string[] },
): Promise<void> {
  await ctx.transact((tx) =>
    recordAudit(tx, { ctx, tenant: null, merchant_id: ownMerchantId, action, object_type: "audit_log", object_id: null, detail }),
  );
}
