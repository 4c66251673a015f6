import type { ExceptionRow } from "../shapes.ts";

const tellingReasons: ReadonlySet<string> = new Set([
  "disputed",
  "listed_amount",
  "not_listed",
  "listed_refund_amount",
  "listed_refund_failed",
  "refund_not_listed",
]);

/** Whether a case tells of something at a provider and stands for no money of its own: there is nothing to accept or to pay back. */
export function tellsOnly({ detail }: Pick<ExceptionRow, "detail">): boolean {
  return tellingReasons.has(String(detail["reason"]));
}
