import type { IgnoreRule } from "#collection/index.ts";
import { closeSets } from "./close-sets.ts";
import { decideReceipt, type Verdict } from "./decide-receipt.ts";
import { fitsRule } from "./fits-rule.ts";
import { pairDuplicates } from "./pair-duplicates.ts";
import { type MatchData, type MatchReceipt, sourcesOf } from "./world.ts";

/** The result of a receipt in a model of the world. */
export interface Played {
  outcome: "settled" | "linked" | "held" | "unmatched" | "ignored";
  verdict: Verdict;
}

/**
 * Processes receipts like a whole import, each in order of time and then the sets, in a model that it changes: nothing is written.
 * `world.receipts` already has the new ones.
 */
export function playReceipts(world: MatchData, incoming: readonly MatchReceipt[], rules: readonly IgnoreRule[] = []): Map<string, Played> {
  const played = new Map<string, Played>();
  for (const receipt of [...incoming].sort((one, other) => one.occurred_at.getTime() - other.occurred_at.getTime())) {
    const verdict = decideReceipt(world, receipt);
    const isIgnored = verdict.kind === "wait" && verdict.reason === "no_mark" && rules.some((rule) => fitsRule(rule, receipt));
    if (isIgnored) receipt.status = "ignored";
    played.set(receipt.id, { outcome: isIgnored ? "ignored" : play(world, { receipt, verdict }), verdict });
  }
  for (const amount of new Set(incoming.map((receipt) => receipt.amount_minor))) {
    for (const linked of playSets(world, amount)) {
      const before = played.get(linked.id);
      if (before !== undefined) played.set(linked.id, { ...before, outcome: "linked" });
    }
  }
  return played;
}

function play(world: MatchData, given: { receipt: MatchReceipt; verdict: Verdict }): Played["outcome"] {
  const { receipt, verdict } = given;
  if (verdict.kind === "link") {
    verdict.piece.sources.push(...sourcesOf(receipt, world.receipts));
    Object.assign(receipt, { status: "linked", booked_external_id: verdict.piece.external_id });
    return "linked";
  }
  if (verdict.kind === "twin") {
    Object.assign(receipt, { status: "linked", twin_id: verdict.of.id });
    return "linked";
  }
  if (verdict.kind === "mismatch") {
    receipt.exception_id = "exc";
    return "held";
  }
  if (verdict.kind === "wait") return "unmatched";
  const { reservation, effect } = verdict;
  world.pieces.push({
    project_id: reservation.project_id,
    external_id: receipt.id,
    external_key: receipt.external_key,
    order_id: reservation.order_id,
    reversed_orders: [],
    session_id: null,
    amount_minor: receipt.amount_minor,
    occurred_at: receipt.occurred_at,
    sources: sourcesOf(receipt, world.receipts),
    set_id: null,
  });
  Object.assign(receipt, { status: "matched", booked_external_id: receipt.id });
  const order = world.orders.get(reservation.order_id);
  if (effect === "pays" && order !== undefined) world.orders.set(order.id, { ...order, status: "paid" });
  return effect === "pays" ? "settled" : "held";
}

/** Closes the sets and pairs of an amount in a model; returns the linked receipts. */
export function playSets(world: MatchData, amount: number): MatchReceipt[] {
  const linked: MatchReceipt[] = [];
  for (const { of, duplicate } of pairDuplicates(world.receipts, amount)) {
    Object.assign(duplicate, { status: "linked", twin_id: of.id });
    linked.push(duplicate);
  }
  for (const source of ["statement", "listener", "manual"] as const) {
    for (const set of closeSets(world, { amount, source }).closed) {
      const set_id = set.pieces[0]?.set_id ?? `set of ${set.receipts[0]?.id}`;
      const [piece] = set.pieces;
      const sources = new Set(set.receipts.flatMap((receipt) => sourcesOf(receipt, world.receipts)));
      for (const one of set.pieces) {
        one.sources.push(...sources);
        if (set.pieces.length > 1) one.set_id = set_id;
      }
      for (const receipt of set.receipts) {
        const place = set.pieces.length === 1 ? { booked_external_id: piece?.external_id ?? null } : { set_id };
        Object.assign(receipt, { status: "linked", ...place });
        linked.push(receipt);
      }
    }
  }
  return linked;
}
