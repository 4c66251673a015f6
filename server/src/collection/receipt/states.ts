import { defineStates } from "#platform/index.ts";

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
