import { defineStates } from "#platform/index.ts";

export type ReceiptStatus = "unmatched" | "matched" | "linked" | "ignored";

/** Every decision about a receipt is undone before another one is made. */
export const receiptStates = defineStates<ReceiptStatus>("receipt", {
  unmatched: ["matched", "linked", "ignored"],
  matched: ["unmatched"],
  linked: ["unmatched"],
  ignored: ["unmatched"],
});
