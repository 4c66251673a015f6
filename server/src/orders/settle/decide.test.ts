import { describe, expect, test } from "vitest";
import type { OrderRow, SessionRow } from "../shapes.ts";
import { decide, type Money } from "./decide.ts";

const order = (change: Partial<OrderRow> = {}) => ({ status: "unpaid", amount_minor: 9900, currency: "CNY", ...change }) as OrderRow;
const session = (change: Partial<SessionRow> = {}) => ({ matching_mode: "exact", amount_minor: 9900, payable_amount_minor: 9900, ...change }) as SessionRow;
const money = (change: Partial<Money> = {}) => ({ amount_minor: 9900, currency: "CNY", source: "callback", ...change }) as Money;
const pays = { kind: "pay", dueMinor: 9900, excessMinor: 0, shortfallMinor: 0, late: false };
const lowered = session({ matching_mode: "unique_amount", payable_amount_minor: 9897 });

describe("money that pays", () => {
  test.each([
    ["the exact amount of an unpaid order", { order: order() }, pays],
    ["the exact amount of an order under review", { order: order({ status: "pending_verify" }) }, pays],
    ["a provider's proof after expiry, as late", { order: order({ status: "expired" }) }, { ...pays, late: true }],
    ["a provider's proof after failure, as late", { order: order({ status: "failed" }) }, { ...pays, late: true }],
    ["a reviewer's word after expiry, as late", { order: order({ status: "expired" }), money: money({ source: "review" }) }, { ...pays, late: true }],
    ["more than the amount, the rest as excess", { order: order(), money: money({ amount_minor: 10_000 }) }, { ...pays, excessMinor: 100 }],
    ["the rest after a short payment", { order: order(), heldMinor: 9000, money: money({ amount_minor: 900 }) }, { ...pays, dueMinor: 900 }],
    [
      "a lowered amount, what it lowered as a shortfall",
      { order: order(), session: lowered, money: money({ amount_minor: 9897 }) },
      { ...pays, dueMinor: 9897, shortfallMinor: 3 },
    ],
    ["the full amount where a lowered one was asked", { order: order(), session: lowered }, { ...pays, dueMinor: 9897, excessMinor: 3, shortfallMinor: 3 }],
  ])("%s", (_name, given, verdict) => {
    expect(decide({ session: session(), heldMinor: 0, money: money(), ...given })).toEqual(verdict);
  });
});

describe("money for a person to look at", () => {
  test.each([
    ["no order", { order: null }, "unmatched"],
    ["another currency", { order: order({ currency: "USD" }) }, "mismatch"],
    ["a paid order", { order: order({ status: "paid" }) }, "duplicate"],
    ["a canceled order", { order: order({ status: "canceled" }) }, "late"],
    ["a receipt after expiry", { order: order({ status: "expired" }), money: money({ source: "receipt" }) }, "late"],
    ["a receipt after failure", { order: order({ status: "failed" }), money: money({ source: "receipt" }) }, "late"],
    [
      "a receipt of a transfer made after its session's time",
      { order: order(), session: session({ expires_at: new Date(1000) }), money: money({ source: "receipt", occurred_at: new Date(1001) }) },
      "late",
    ],
  ])("%s", (_name, given, exception) => {
    expect(decide({ session: session(), heldMinor: 0, money: money(), ...given })).toMatchObject({ kind: "exception", exception });
  });

  test("one minor unit short is underpaid", () => {
    expect(decide({ order: order(), session: session(), heldMinor: 0, money: money({ amount_minor: 9899 }) })).toEqual({ kind: "underpaid" });
  });
});
