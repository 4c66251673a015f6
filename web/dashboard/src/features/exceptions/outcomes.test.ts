import { expect, test } from "vitest";
import { caseName } from "./case-name.ts";
import { exceptionWords } from "./exceptions.words.ts";
import { choicesOf } from "./outcomes.ts";

const words = exceptionWords.en;
const caseOf = (kind: "late" | "mismatch" | "underpaid" | "overpaid" | "duplicate" | "unmatched", more: object = {}) => ({
  kind,
  order_id: "ord_1" as string | null,
  transaction_id: "txn_1" as string | null,
  detail: {},
  ...more,
});
const outcomesOf = (exception: ReturnType<typeof caseOf>, status: string | null) =>
  Object.fromEntries(choicesOf(exception, status, words).map(({ value, text }) => [value, text]));

test("a transfer that is in no books is offered to be booked or set aside, never to remain in suspense", () => {
  const { accept, ignore } = outcomesOf(caseOf("mismatch", { transaction_id: null }), "unpaid");
  expect([accept, ignore]).toEqual([words.acceptUnbooked, words.ignoreUnbooked]);
  expect(outcomesOf(caseOf("mismatch"), "unpaid")["ignore"]).toBe(words.ignoreText);
  expect(Object.keys(outcomesOf(caseOf("mismatch", { transaction_id: null }), "unpaid"))).toEqual(["accept", "give", "ignore"]);
});

test("money of a canceled order can be assigned to another one, and not to its own", () => {
  expect(Object.keys(outcomesOf(caseOf("late"), "canceled"))).toEqual(["give", "refund", "ignore"]);
  expect(Object.keys(outcomesOf(caseOf("late"), "expired"))).toEqual(["accept", "give", "refund", "ignore"]);
  expect(Object.keys(outcomesOf(caseOf("unmatched", { order_id: null }), null))).toEqual(["give", "refund", "ignore"]);
});

test("what counts toward its own order can't be assigned to another", () => {
  for (const kind of ["underpaid", "overpaid"] as const)
    expect(Object.keys(outcomesOf(caseOf(kind), "unpaid"))).toEqual(["accept", "refund", "ignore"]);
  expect(outcomesOf(caseOf("underpaid"), "unpaid")).toEqual({
    accept: words.acceptShortOrder,
    refund: words.refundPart,
    ignore: words.ignorePart,
  });
});

test("what is accepted for a paid order is extra income, of every kind", () => {
  expect(outcomesOf(caseOf("duplicate"), "paid")["accept"]).toBe(words.acceptPaid);
  expect(outcomesOf(caseOf("late"), "paid")["accept"]).toBe(words.acceptPaid);
  expect(outcomesOf(caseOf("overpaid"), "paid")["accept"]).toBe(words.acceptOver);
});

test("money that arrived through a provider can be refunded by it, or was refunded manually", () => {
  expect(Object.keys(outcomesOf(caseOf("late", { provider: "Test Pay" }), "canceled"))).toEqual(["give", "return", "refund", "ignore"]);
  expect(outcomesOf(caseOf("underpaid", { provider: "Test Pay" }), "unpaid")["return"]).toBe(words.refundThroughPart);
  expect(Object.keys(outcomesOf(caseOf("mismatch", { provider: "Test Pay", transaction_id: null }), "unpaid"))).toEqual([
    "accept",
    "give",
    "ignore",
  ]);
});

test("an exception about a refund is viewed and closed: no money arrived", () => {
  for (const reason of ["refund_unknown", "refunded_elsewhere"])
    expect(outcomesOf(caseOf("mismatch", { transaction_id: null, detail: { reason } }), "paid")).toEqual({ ignore: words.ignoreRefund });
});

test("an exception about a dispute can only be closed", () => {
  const dispute = caseOf("mismatch", { transaction_id: null, detail: { reason: "disputed" } });
  expect(outcomesOf(dispute, "paid")).toEqual({ ignore: words.ignoreReported });
  expect([caseName(dispute, words), caseName(caseOf("mismatch"), words)]).toEqual(["Dispute", "Mismatch"]);
});

test("an exception that only reports something at the provider can only be closed, and says what it is", () => {
  for (const reason of ["callback_unanswered", "listed_unreadable", "days_not_compared"] as const) {
    const reported = caseOf("unmatched", { order_id: null, transaction_id: null, detail: { reason } });
    expect(outcomesOf(reported, null)).toEqual({ ignore: words.ignoreReported });
    expect(caseName(reported, words)).toBe(words.reported[reason].name);
  }
});
