import { type Account, findProfile, type IgnoreRule, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { decideReceipt, type Verdict } from "./match/decide-receipt.ts";
import { fitsRule } from "./match/fits-rule.ts";
import { loadWorld } from "./match/load-world.ts";
import { listAskedSessions } from "./match/sql.ts";
import { bookReceipt, linkToPiece, openMismatch } from "./settle-receipt.ts";

export type Outcome = "settled" | "linked" | "held" | "suggested" | "unmatched" | "ignored";

/** What one row comes to. `skipped`: it is no income, or was taken in before. */
export type RowOutcome = Outcome | "skipped";

/** What a row comes to whose transfer was taken in before: it counts where this file moves it on, because the wallet now says that it is final. */
export function outcomeOfKnown(outcome: Outcome): RowOutcome {
  return outcome === "settled" || outcome === "linked" || outcome === "held" ? outcome : "skipped";
}

/** What a receipt came to. */
export interface Matched {
  receipt: ReceiptRow;
  outcome: Exclude<Outcome, "suggested">;
}

/** The account that a receipt is of. */
export function accountOf(receipt: ReceiptRow): Account {
  const { merchant_id, livemode, channel, account_ref } = receipt;
  return { merchant_id, livemode, channel, account_ref };
}

/**
 * Decides about one receipt by its number and its mark and carries it out; the caller holds the account's lock. What carries no mark waits, or is
 * set aside by the merchant's own rules; sets of equal amounts come after it, see `closeAmount`.
 */
export async function matchReceipt(tx: Tx, ctx: Ctx, receipt: ReceiptRow): Promise<Matched> {
  const account = accountOf(receipt);
  const seen = decideReceipt(await loadWorld(tx, account, { receipts: [receipt], around: [] }), receipt);
  const named = orderOf(seen);
  if (named === null) return carryOut(tx, ctx, { receipt, verdict: seen });
  // Its order may just be changing; what is decided now is decided about how it is, and beside all receipts of this money.
  await lockOrder(tx, { project_id: named.project_id, livemode: receipt.livemode }, named.order_id);
  const world = await loadWorld(tx, account, { receipts: [receipt], around: ["unmatched", "linked"] });
  return carryOut(tx, ctx, { receipt, verdict: decideReceipt(world, receipt) });
}

/** The order that a verdict would touch. */
function orderOf(verdict: Verdict): { project_id: string; order_id: string } | null {
  if (verdict.kind === "book" || verdict.kind === "mismatch") return verdict.asking;
  const piece = verdict.kind === "link" ? verdict.piece : null;
  return piece === null || piece.order_id === null ? null : { project_id: piece.project_id, order_id: piece.order_id };
}

async function carryOut(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; verdict: Verdict }): Promise<Matched> {
  const { receipt, verdict } = given;
  if (verdict.kind === "link") return { receipt: await linkToPiece(tx, ctx, { receipt, piece: verdict.piece }), outcome: "linked" };
  if (verdict.kind === "twin") return { receipt: await updateReceipt(tx, receipt, { status: "linked", twin_id: verdict.of.id }), outcome: "linked" };
  if (verdict.kind === "wait") {
    const rule = verdict.reason === "no_mark" ? await ruleFor(tx, receipt) : null;
    return rule === null ? { receipt, outcome: "unmatched" } : { receipt: await setAside(tx, { receipt, rule }), outcome: "ignored" };
  }
  const { asking } = verdict;
  const [session] = await listAskedSessions(tx, receipt.livemode, [{ project_id: asking.project_id, id: asking.id }]);
  const session_id = session?.id ?? null;
  if (verdict.kind === "mismatch")
    return { receipt: await openMismatch(tx, ctx, { receipt, asking, session_id, expected_minor: verdict.expected_minor }), outcome: "held" };
  const order = { project_id: asking.project_id, livemode: receipt.livemode, id: asking.order_id };
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
