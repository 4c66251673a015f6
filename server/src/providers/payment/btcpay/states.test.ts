import { expect, test } from "vitest";
import { needsPayments, snapshotOf } from "./states.ts";
import { readClaims, readInvoice, readPullPayment, readReceived } from "./wire.ts";

const invoiceOf = (over: Record<string, unknown>) => {
  const invoice = readInvoice({
    id: "inv",
    storeId: "store",
    amount: "12.34",
    currency: "EUR",
    paidAmount: "0",
    metadata: { orderId: "ps_1" },
    ...over,
  });
  if (invoice === null) throw new Error("no invoice");
  return invoice;
};
const paymentsOf = (...statuses: string[]) =>
  readReceived([{ payments: statuses.map((status) => ({ status, receivedDate: 1_795_161_600 })) }, { payments: [] }]);
const euros = (amount_minor: number) => ({ amount_minor, currency: "EUR" });

test.each<[string, Record<string, unknown>, string[], Record<string, unknown>]>([
  ["new", { status: "New" }, [], { state: "pending", paid: null, providerState: "New" }],
  [
    "new with a part paid",
    { status: "New", additionalStatus: "PaidPartial", paidAmount: "5.00" },
    ["Settled"],
    { state: "pending", paid: null },
  ],
  ["not confirmed", { status: "Processing", paidAmount: "12.34" }, ["Processing"], { state: "processing", paid: null }],
  [
    "settled",
    { status: "Settled", paidAmount: "12.34" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234), paidAt: new Date("2026-11-20T08:00:00.000Z") },
  ],
  [
    "settled with a rest too small to be a coin",
    { status: "Settled", paidAmount: "12.35" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
  [
    "settled with less, which the store tolerates",
    { status: "Settled", paidAmount: "12.00" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_200) },
  ],
  [
    "settled with more",
    { status: "Settled", additionalStatus: "PaidOver", paidAmount: "20.00" },
    ["Settled", "Settled"],
    { state: "succeeded", paid: euros(2_000) },
  ],
  [
    "settled, its payments told as not confirmed",
    { status: "Settled", paidAmount: "12.34" },
    ["Processing"],
    { state: "processing", paid: null },
  ],
  ["settled, and no payment is told", { status: "Settled", paidAmount: "12.34" }, [], { state: "processing", paid: null }],
  [
    "settled by hand without money",
    { status: "Settled", additionalStatus: "Marked" },
    [],
    { state: "failed", paid: null, failure: { code: "marked_settled" } },
  ],
  [
    "settled by hand with less",
    { status: "Settled", additionalStatus: "Marked", paidAmount: "12.00" },
    ["Settled"],
    { state: "failed", paid: euros(1_200) },
  ],
  [
    "settled by hand with everything",
    { status: "Settled", additionalStatus: "Marked", paidAmount: "12.34" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
  [
    "settled by hand before it was confirmed",
    { status: "Settled", additionalStatus: "Marked", paidAmount: "12.34" },
    ["Processing"],
    { state: "processing", paid: null },
  ],
  [
    "settled by hand, its payment gone",
    { status: "Settled", additionalStatus: "Marked", paidAmount: "12.34" },
    ["Invalid"],
    { state: "failed", paid: null },
  ],
  ["expired", { status: "Expired" }, [], { state: "expired", paid: null, failure: null }],
  [
    "expired with a part paid",
    { status: "Expired", additionalStatus: "PaidPartial", paidAmount: "5.00" },
    ["Settled"],
    { state: "expired", paid: euros(500) },
  ],
  [
    "expired with a part on its way",
    { status: "Expired", additionalStatus: "PaidPartial", paidAmount: "5.00" },
    ["Settled", "Processing"],
    { state: "processing", paid: null },
  ],
  [
    "paid late",
    { status: "Expired", additionalStatus: "PaidLate", paidAmount: "12.34" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
  [
    "paid late, not confirmed",
    { status: "Expired", additionalStatus: "PaidLate", paidAmount: "12.34" },
    ["Processing"],
    { state: "processing", paid: null },
  ],
  ["closed by hand", { status: "Invalid", additionalStatus: "Marked" }, [], { state: "canceled", paid: null }],
  [
    "closed by hand and paid all the same",
    { status: "Invalid", additionalStatus: "Marked", paidAmount: "12.34" },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
  ["never confirmed", { status: "Invalid" }, ["Invalid"], { state: "failed", paid: null, failure: { code: "not_confirmed" } }],
  [
    "settled, by an old version that tells no amount",
    { status: "Settled", paidAmount: undefined },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
  [
    "settled by hand, by an old version",
    { status: "Settled", additionalStatus: "Marked", paidAmount: undefined },
    ["Settled"],
    { state: "failed", paid: null },
  ],
  [
    "paid late, by an old version",
    { status: "Expired", additionalStatus: "PaidLate", paidAmount: undefined },
    ["Settled"],
    { state: "succeeded", paid: euros(1_234) },
  ],
])("an invoice that is %s is reported with what was received", (_what, over, statuses, expected) => {
  const received = paymentsOf(...statuses);
  if (received === null) throw new Error("no payments");
  expect(snapshotOf(invoiceOf(over), received)).toMatchObject({
    reference: "ps_1",
    providerId: "inv",
    account: "store",
    asked: euros(1_234),
    ...expected,
  });
});

test.each([
  [{ status: "New" }, false],
  [{ status: "Processing", paidAmount: "12.34" }, false],
  [{ status: "Expired" }, false],
  [{ status: "Invalid", additionalStatus: "Marked" }, false],
  [{ status: "Settled" }, true],
  [{ status: "Expired", additionalStatus: "PaidLate" }, true],
  [{ status: "Invalid", additionalStatus: "Marked", paidAmount: "0.01" }, true],
  [{ status: "Expired", paidAmount: undefined }, true],
])("the payments of %j are read: %j", (over, expected) => {
  expect(needsPayments(invoiceOf(over))).toBe(expected);
});

test.each([
  ["nothing", null],
  ["a list", []],
  ["an unknown status", { id: "1", status: "Sleeping", amount: "1", currency: "EUR" }],
  ["no amount", { id: "1", status: "New", currency: "EUR" }],
  ["an amount with an exponent", { id: "1", status: "New", amount: "1e3", currency: "EUR" }],
  ["more decimals than the currency has", { id: "1", status: "New", amount: "1.234", currency: "EUR" }],
  ["no currency of the world", { id: "1", status: "New", amount: "1", currency: "SATS" }],
  ["an id that is no text", { id: 1, status: "New", amount: "1", currency: "EUR" }],
])("%s isn't an invoice", (_what, value) => {
  expect(readInvoice(value)).toBeNull();
});

test.each([
  ["JPY", "1234", 1_234],
  ["JPY", "1234.00", 1_234],
  ["KWD", "1.234", 1_234],
  ["ARS", "12", 1_200],
  ["USD", 5, 500],
])("in %s, %j is %i of the smallest unit", (currency, amount, minor) => {
  expect(readInvoice({ id: "1", status: "New", amount, currency })?.requested).toEqual({ amount_minor: minor, currency });
});

test("a link that isn't a web page is dropped", () => {
  expect(
    readInvoice({ id: "1", status: "New", amount: "1", currency: "EUR", checkoutLink: "javascript:alert(1)" })?.checkoutLink,
  ).toBeNull();
  expect(readPullPayment({ id: "1", viewLink: "data:text/html,x" })?.claimUrl).toBeNull();
});

test.each([
  ["no claim", [], { completed: null, isOpen: false }],
  [
    "claims in several states",
    [
      { state: "Completed", originalAmount: "3.00", originalCurrency: "EUR" },
      { state: "AwaitingPayment", originalAmount: "1", originalCurrency: "EUR" },
      { state: "Cancelled", originalAmount: "9", originalCurrency: "EUR" },
    ],
    { completed: euros(300), isOpen: true },
  ],
  ["an old version's names", [{ state: "Completed", amount: "3.00" }], { completed: euros(300), isOpen: false }],
  ["another currency", [{ state: "Completed", originalAmount: "3.00", originalCurrency: "USD" }], null],
  ["what is no list", { state: "Completed" }, null],
])("of %s it reports what was paid out", (_what, value, claims) => {
  expect(readClaims(value, "EUR")).toEqual(claims);
});
