import { type Account, findProfile, type IgnoreRule, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import { lockOrder } from "#orders/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { decideReceipt, type Verdict } from "./match/decide-receipt.ts";
import { fitsRule } from "./match/fits-rule.ts";
import { loadWorld } from "./match/load-world.ts";
import { listReservedSessions } from "./match/sql.ts";
import { bookReceipt, linkToPiece, openMismatch } from "./settle-receipt.ts";

export type Outcome = "settled" | "linked" | "held" | "suggested" | "unmatched" | "ignored";

/** The result of one row. `skipped`: it isn't income, or was recorded before. */
export type RowOutcome = Outcome | "skipped";

/**
 * The result of a row whose transfer was recorded before: it counts if this file updates it, because the wallet now reports it as final.
 */
export function outcomeOfKnown(outcome: Outcome): RowOutcome {
  return outcome === "settled" || outcome === "linked" || outcome === "held" ? outcome : "skipped";
}

/** The result of a receipt. */
export interface Matched {
  receipt: ReceiptRow;
  outcome: Exclude<Outcome, "suggested">;
}

/** The receipt's account. */
export function accountOf(receipt: ReceiptRow): Account {
  const { merchant_id, livemode, channel, account_ref } = receipt;
  return { merchant_id, livemode, channel, account_ref };
}

/**
 * Decides about one receipt by its number and its mark and carries the decision out; the caller holds the account's lock. A receipt without
 * a mark waits, or is ignored by the merchant's rules; sets of equal amounts come afterwards, see `closeAmount`.
 */
export async function matchReceipt(tx: Tx, ctx: Ctx, receipt: ReceiptRow): Promise<Matched> {
  const account = accountOf(receipt);
  const seen = decideReceipt(await loadWorld(tx, account, { receipts: [receipt], around: [] }), receipt);
  const named = orderOf(seen);
  if (named === null) return carryOut(tx, ctx, { receipt, verdict: seen });
  // Its order may be changing; the decision is made about its current state, together with all receipts of this money.
  await lockOrder(tx, { project_id: named.project_id, livemode: receipt.livemode }, named.order_id);
  const world = await loadWorld(tx, account, { receipts: [receipt], around: ["unmatched", "linked"] });
  return carryOut(tx, ctx, { receipt, verdict: decideReceipt(world, receipt) });
}

/** The order that a verdict affects. */
function orderOf(verdict: Verdict): { project_id: string; order_id: string } | null {
  if (verdict.kind === "book" || verdict.kind === "mismatch") return verdict.reservation;
  const piece = verdict.kind === "link" ? verdict.piece : null;
  const order_id = piece?.order_id ?? piece?.reversed_orders.at(-1) ?? null;
  return piece === null || order_id === null ? null : { project_id: piece.project_id, order_id };
}

async function carryOut(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; verdict: Verdict }): Promise<Matched> {
  const { receipt, verdict } = given;
  if (verdict.kind === "link") return { receipt: await linkToPiece(tx, ctx, { receipt, piece: verdict.piece }), outcome: "linked" };
  if (verdict.kind === "twin")
    return { receipt: await updateReceipt(tx, receipt, { status: "linked", twin_id: verdict.of.id }), outcome: "linked" };
  if (verdict.kind === "wait") {
    const rule = verdict.reason === "no_mark" ? await ruleFor(tx, receipt) : null;
    return rule === null ? { receipt, outcome: "unmatched" } : { receipt: await setAside(tx, { receipt, rule }), outcome: "ignored" };
  }
  const { reservation } = verdict;
  const [session] = await listReservedSessions(tx, receipt.livemode, [{ project_id: reservation.project_id, id: reservation.id }]);
  const session_id = session?.id ?? null;
  if (verdict.kind === "mismatch")
    return {
      receipt: await openMismatch(tx, ctx, { receipt, reservation, session_id, expected_minor: verdict.expected_minor }),
      outcome: "held",
    };
  const order = { project_id: reservation.project_id, livemode: receipt.livemode, id: reservation.order_id };
  const booked = await bookReceipt(tx, ctx, { receipt, target: { order, session_id }, source: "receipt" });
  if (booked.settled.repeat) return { receipt, outcome: "unmatched" };
  return { receipt: booked.receipt, outcome: booked.settled.outcome === "paid" ? "settled" : "held" };
}

async function ruleFor(tx: Tx, receipt: ReceiptRow): Promise<IgnoreRule | null> {
  const profile = await findProfile(tx, receipt, receipt.channel);
  return profile?.ignore_rules.find((rule) => fitsRule(rule, receipt)) ?? null;
}

function setAside(tx: Tx, given: { receipt: ReceiptRow; rule: IgnoreRule }): Promise<ReceiptRow> {
  const { receipt, rule } = given;
  return updateReceipt(tx, receipt, { status: "ignored", decision_reason: `rule ${rule.field}: ${rule.text}` });
}
