import { defineStates } from "#platform/index.ts";

/** Whether the money is final, according to the wallet. Only `final` receipts settle orders. */
export type ReceiptState = "final" | "unfinished" | "refunded" | "partly_refunded";
export type ReceiptStatus = "unmatched" | "matched" | "linked" | "ignored";

/**
 * A decision about a receipt must be undone before another one is made, except that a reviewer who types the number of an ignored one links
 * it.
 */
export const receiptStates = defineStates<ReceiptStatus>("receipt", {
  unmatched: ["matched", "linked", "ignored"],
  matched: ["unmatched"],
  linked: ["unmatched"],
  ignored: ["unmatched", "linked"],
});

/** How a transfer proceeds at its wallet: never back. An older file, or one of another kind, knows less. */
export const transferStates: readonly ReceiptState[] = ["unfinished", "final", "partly_refunded", "refunded"];

/** The state of a transfer that two reports describe. */
export function laterState(one: ReceiptState, other: ReceiptState): ReceiptState {
  return transferStates.indexOf(other) > transferStates.indexOf(one) ? other : one;
}
