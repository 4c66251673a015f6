import type { ExceptionRow } from "#orders/index.ts";

const informationalReasons: ReadonlySet<string> = new Set([
  "disputed",
  "callback_unanswered",
  "listed_amount",
  "not_listed",
  "listed_refund_amount",
  "listed_refund_failed",
  "refund_not_listed",
  "listed_unreadable",
  "days_not_compared",
]);

/** Whether an exception only reports something at a provider and has no money itself, so there is nothing to accept or refund. */
export function isInformational({ detail }: Pick<ExceptionRow, "detail">): boolean {
  return informationalReasons.has(String(detail["reason"]));
}
