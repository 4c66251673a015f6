import { describe, expect, test } from "vitest";
import type { OrderRow, SessionRow } from "../shapes.ts";
import { decide, type Money } from "./decide.ts";

const order = (change: Partial<OrderRow> = {}) =>
  ({ status: "unpaid", flags: [], amount_minor: 9900, currency: "CNY", expires_at: new Date(1000), ...change }) as OrderRow;
const session = (change: Partial<SessionRow> = {}) =>
  ({ matching_mode: "exact", amount_minor: 9900, payable_amount_minor: 9900, ...change }) as SessionRow;
const money = (change: Partial<Money> = {}) =>
  ({ amount_minor: 9900, currency: "CNY", source: "callback", occurred_at: new Date(1000), ...change }) as Money;
const pays = { kind: "pay", dueMinor: 9900, excessMinor: 0, shortfallMinor: 0, forgivenMinor: 0, late: false };
const lowered = session({ matching_mode: "unique_amount", payable_amount_minor: 9897 });

describe("money that pays", () => {
  test.each([
    ["the exact amount of an unpaid order", { order: order() }, pays],
    [
      "the exact amount of a paid order whose payment was reversed",
      { order: order({ status: "paid", flags: ["payment_reversed"] }) },
      pays,
    ],
    ["the exact amount of an order under review", { order: order({ status: "pending_verify" }) }, pays],
    ["a provider's proof after expiry, as late", { order: order({ status: "expired" }) }, { ...pays, late: true }],
    ["a provider's proof after failure, as late", { order: order({ status: "failed" }) }, { ...pays, late: true }],
    [
      "a reviewer's word after expiry, as late",
      { order: order({ status: "expired" }), money: money({ source: "review" }) },
      { ...pays, late: true },
    ],
    [
      "a transfer made in time, told of after expiry, as late",
      { order: order({ status: "expired" }), money: money({ source: "receipt" }) },
      { ...pays, late: true },
    ],
    [
      "a transfer made after its session's time and before the order's",
      { order: order(), session: session({ expires_at: new Date(1) }), money: money({ source: "receipt" }) },
      pays,
    ],
    ["more than the amount, the rest as excess", { order: order(), money: money({ amount_minor: 10_000 }) }, { ...pays, excessMinor: 100 }],
    [
      "the rest after a short payment",
      { order: order(), heldMinor: 9000, money: money({ amount_minor: 900 }) },
      { ...pays, dueMinor: 900 },
    ],
    [
      "a lowered amount, what it lowered as a shortfall",
      { order: order(), session: lowered, money: money({ amount_minor: 9897 }) },
      { ...pays, dueMinor: 9897, shortfallMinor: 3 },
    ],
    ["the full amount where a lowered one was asked", { order: order(), session: lowered }, pays],
    [
      "anything between a lowered amount and the full one",
      { order: order(), session: lowered, money: money({ source: "receipt", amount_minor: 9898 }) },
      { ...pays, dueMinor: 9898, shortfallMinor: 2 },
    ],
    [
      "less than was asked, once it is forgiven",
      { order: order(), session: lowered, money: money({ amount_minor: 9890, forgives: { upToMinor: 0, confirmedMinor: 7 } }) },
      { ...pays, dueMinor: 9890, shortfallMinor: 10, forgivenMinor: 7 },
    ],
    [
      "less than was asked within what a person may forgive",
      { order: order(), money: money({ amount_minor: 9801, forgives: { upToMinor: 99, confirmedMinor: null } }) },
      { ...pays, dueMinor: 9801, shortfallMinor: 99, forgivenMinor: 99 },
    ],
  ])("%s", (_name, given, verdict) => {
    expect(decide({ session: session(), heldMinor: 0, money: money(), ...given })).toEqual(verdict);
  });
});

describe("money for a person to decide", () => {
  test.each([
    ["no order", { order: null }, "unmatched"],
    ["another currency", { order: order({ currency: "USD" }) }, "mismatch"],
    ["a paid order", { order: order({ status: "paid" }) }, "duplicate"],
    ["a paid order with other flags", { order: order({ status: "paid", flags: ["paid_late", "duplicate_payment"] }) }, "duplicate"],
    [
      "a transfer made after the time of an order whose payment was reversed",
      { order: order({ status: "paid", flags: ["payment_reversed"] }), money: money({ source: "receipt", occurred_at: new Date(1001) }) },
      "late",
    ],
    ["a canceled order", { order: order({ status: "canceled" }) }, "late"],
    [
      "a transfer made after its order's time",
      { order: order(), money: money({ source: "receipt", occurred_at: new Date(1001) }) },
      "late",
    ],
    [
      "a transfer made after its order's time, while a report waits",
      { order: order({ status: "pending_verify" }), money: money({ source: "receipt", occurred_at: new Date(1001) }) },
      "late",
    ],
    ["a provider's money that was refunded already", { order: order(), money: money({ isRefunded: true }) }, "mismatch"],
    ["a part of it that was refunded already", { order: order(), money: money({ isRefunded: true, amount_minor: 900 }) }, "mismatch"],
    [
      "money that was refunded already, for a paid order whose payment was reversed",
      { order: order({ status: "paid", flags: ["payment_reversed"] }), money: money({ isRefunded: true }) },
      "mismatch",
    ],
    ["a transfer in time for a canceled order", { order: order({ status: "canceled" }), money: money({ source: "receipt" }) }, "late"],
  ])("%s", (_name, given, exception) => {
    expect(decide({ session: session(), heldMinor: 0, money: money(), ...given })).toMatchObject({ kind: "exception", exception });
  });

  test.each([
    ["less", 9896],
    ["more", 9901],
  ])("a receipt of %s than was requested and owed is for a person, and no partial payment", (_name, amount_minor) => {
    const given = { order: order(), session: lowered, heldMinor: 0, money: money({ source: "receipt", amount_minor }) };
    expect(decide(given)).toEqual({ kind: "exception", exception: "mismatch", reason: "amount" });
  });

  test.each([
    ["beyond what may be missing", 9800, { upToMinor: 99, confirmedMinor: null }, 100],
    ["less than what is said to be missing", 9801, { upToMinor: 99, confirmedMinor: 100 }, 99],
    ["nothing, where something is said to be missing", 9900, { upToMinor: 99, confirmedMinor: 1 }, 0],
  ])("accepting it as the whole needs confirmation if it lacks %s", (_name, amount_minor, forgives, shortfallMinor) => {
    const given = { order: order(), session: session(), heldMinor: 0, money: money({ source: "resolution", amount_minor, forgives }) };
    expect(decide(given)).toEqual({ kind: "unconfirmed", expectedMinor: 9900, shortfallMinor });
  });

  test.each([
    ["nothing is said of it", 10_000, null, 100],
    ["another sum is said", 10_000, 10, 100],
    ["there is none", 9900, 1, 0],
  ])("what exceeds the amount needs confirmation if %s", (_name, amount_minor, confirmedExcessMinor, excessMinor) => {
    const given = {
      order: order(),
      session: session(),
      heldMinor: 0,
      money: money({ source: "review", amount_minor, confirmedExcessMinor }),
    };
    expect(decide(given)).toEqual({ kind: "excess", expectedMinor: 9900, excessMinor });
    const confirmed = { ...given, money: money({ source: "review", amount_minor, confirmedExcessMinor: excessMinor }) };
    expect(decide(confirmed)).toMatchObject({ kind: "pay", excessMinor });
  });

  test("one minor unit short is underpaid", () => {
    expect(decide({ order: order(), session: session(), heldMinor: 0, money: money({ amount_minor: 9899 }) })).toEqual({
      kind: "underpaid",
    });
  });
});
