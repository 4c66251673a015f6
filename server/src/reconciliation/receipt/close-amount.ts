import { recordAudit } from "#audit/index.ts";
import { type Account, lockReceipt, methodOfChannel, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import { updateReceivedSet } from "#orders/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { type ClosedSet, closeSets } from "./match/close-sets.ts";
import { loadWorld } from "./match/load-world.ts";
import { pairDuplicates } from "./match/pair-duplicates.ts";
import type { MatchData, MatchReceipt } from "./match/world.ts";
import { linkToPiece, writeReceiptResult } from "./settle-receipt.ts";

const sources = ["statement", "listener", "manual"] as const;

/**
 * Closes open equal amounts around a time: approved payments and receipts if there are equally many, and receipts of two sources that
 * report the same money. Books nothing. The caller holds the account's lock. Returns the linked receipts.
 */
export async function closeAmount(tx: Tx, ctx: Ctx, given: { account: Account; amount: number; at: Date }): Promise<ReceiptRow[]> {
  const { account, amount, at } = given;
  const wanted = { amount_minor: amount, occurred_at: at, remark: null, external_key: null };
  const load = () => loadWorld(tx, account, { receipts: [wanted], around: ["unmatched", "linked", "matched"] });
  let world = await load();
  const linked: ReceiptRow[] = [];
  for (const { of, duplicate } of pairDuplicates(world.receipts, amount)) {
    const row = await lockSeen(tx, world, duplicate);
    if (row !== null) linked.push(await updateReceipt(tx, row, { status: "linked", twin_id: of.id }));
  }
  if (linked.length > 0) world = await load();
  for (const source of sources) {
    const { closed } = closeSets(world, { amount, source });
    for (const set of closed) linked.push(...(await linkSet(tx, ctx, { account, world, set })));
    // Linking a row also links its duplicates of other sources, so their sets see other bookings than before.
    if (closed.length > 0) world = await load();
  }
  return linked;
}

/** Links as many receipts as payments: one to one directly, several as a set without individual assignments. */
export async function linkSet(
  tx: Tx,
  ctx: Ctx,
  given: { account: Account; world: Pick<MatchData, "receipts">; set: ClosedSet },
): Promise<ReceiptRow[]> {
  const { account, world, set } = given;
  const rows: ReceiptRow[] = [];
  for (const seen of set.receipts) {
    const row = await lockSeen(tx, world, seen);
    if (row === null) return [];
    rows.push(row);
  }
  const [piece] = set.pieces;
  const [row] = rows;
  if (piece === undefined || row === undefined) return [];
  const detail = { receipts: rows.map((one) => one.id), orders: set.pieces.map((one) => one.order_id) };
  await recordAudit(tx, { ctx, tenant: row, action: "receipt.set_linked", object_type: "receipt", object_id: row.id, detail });
  if (set.pieces.length === 1 && piece.set_id === null) return [await linkToPiece(tx, ctx, { receipt: row, piece })];
  const set_id = piece.set_id ?? ctx.id("set");
  for (const one of set.pieces) {
    const tenant = { project_id: one.project_id, livemode: account.livemode };
    await updateReceivedSet(tx, tenant, { gateway: methodOfChannel(account.channel).gateway, externalId: one.external_id, setId: set_id });
  }
  const linked: ReceiptRow[] = [];
  for (const receipt of rows)
    linked.push(
      await writeReceiptResult(tx, ctx, { receipt, status: "linked", booked: null, session_id: null, exception_id: null, set_id }),
    );
  return linked;
}

async function lockSeen(tx: Tx, world: Pick<MatchData, "receipts">, seen: MatchReceipt): Promise<ReceiptRow | null> {
  const row = world.receipts.find((receipt) => receipt.id === seen.id) as ReceiptRow | undefined;
  const locked = row === undefined ? null : await lockReceipt(tx, row, row.id);
  return locked?.status === "unmatched" ? locked : null;
}
