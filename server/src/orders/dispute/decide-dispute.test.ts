import { describe, expect, test } from "vitest";
import { type KnownDispute, type ReportedDispute, readNews, stepsOf } from "./decide-dispute.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute));
const known = (more: Partial<KnownDispute> = {}): KnownDispute => ({
  ...{ status: "opened", told_at: at(5), amount_minor: 900, currency: "EUR", in_books: true, transaction_id: "txn_1" },
  ...{ fee_minor: null, fee_currency: null, fee_transaction_id: null },
  ...more,
});
const reported = (more: Partial<ReportedDispute> = {}): ReportedDispute => ({
  ...{ state: "opened", amount: { amount_minor: 900, currency: "EUR" }, occurredAt: at(6) },
  ...more,
});
const none = { returns: false, takes: false, returnsFee: false, takesFee: null };
const fee = { amount_minor: 15, currency: "EUR" };

describe("what is reported about a dispute is", () => {
  test.each([
    ["news when nothing is known", null, reported(), "news"],
    ["news when it is a later state", known(), reported({ state: "won" }), "news"],
    ["old when it is of an earlier moment", known({ status: "won" }), reported({ occurredAt: at(4) }), "old"],
    ["the same when it is repeated", known(), reported({ occurredAt: at(5) }), "same"],
    ["the same when it is repeated later", known(), reported(), "same"],
    ["news at the same moment where it is the later state", known(), reported({ state: "lost", occurredAt: at(5) }), "news"],
    ["old at the same moment where it is the earlier state", known({ status: "lost" }), reported({ occurredAt: at(5) }), "old"],
    [
      "old at the same moment where both are ends: the first stays",
      known({ status: "lost" }),
      reported({ state: "won", occurredAt: at(5) }),
      "old",
    ],
    ["news when the amount changed", known(), reported({ amount: { amount_minor: 800, currency: "EUR" } }), "news"],
    ["news when a fee is told", known(), reported({ fee }), "news"],
    ["the same when the known fee is told again", known({ fee_minor: 15, fee_currency: "EUR" }), reported({ fee }), "same"],
    ["news when an end is undone, as by an appeal", known({ status: "lost" }), reported(), "news"],
  ] as const)("%s", (_name, before, word, expected) => {
    expect(readNews(before, word)).toBe(expected);
  });
});

describe("the books follow a dispute", () => {
  const gone = known({ transaction_id: null, status: "inquiry" });
  test.each([
    ["that only asks by booking nothing", null, reported({ state: "inquiry" }), true, none],
    ["that is opened by taking the money", null, reported(), true, { ...none, takes: true }],
    ["that is lost without having been seen open by taking it", null, reported({ state: "lost" }), true, { ...none, takes: true }],
    ["that is won without having been seen open by booking nothing", null, reported({ state: "won" }), true, none],
    ["that is opened after an inquiry by taking it", gone, reported(), true, { ...none, takes: true }],
    ["that is won by giving it back", known(), reported({ state: "won" }), true, { ...none, returns: true }],
    ["that is lost by leaving it", known(), reported({ state: "lost" }), true, none],
    ["that is won on appeal by giving it back", known({ status: "lost" }), reported({ state: "won" }), true, { ...none, returns: true }],
    [
      "of another amount now by giving it back and taking it anew",
      known(),
      reported({ amount: { amount_minor: 800, currency: "EUR" } }),
      true,
      { ...none, returns: true, takes: true },
    ],
    ["of money that is in no books by booking nothing", null, reported({ fee }), false, none],
    ["with a fee by booking it", null, reported({ fee }), true, { ...none, takes: true, takesFee: fee }],
    [
      "with a fee in another currency without it",
      null,
      reported({ fee: { amount_minor: 15, currency: "USD" } }),
      true,
      { ...none, takes: true },
    ],
    [
      "whose fee is given back by giving it back",
      known({ fee_minor: 15, fee_currency: "EUR", fee_transaction_id: "txn_2" }),
      reported({ state: "won", fee: null }),
      true,
      { ...none, returns: true, returnsFee: true },
    ],
    [
      "that keeps its fee when nothing is said of it",
      known({ fee_minor: 15, fee_currency: "EUR", fee_transaction_id: "txn_2" }),
      reported({ state: "lost" }),
      true,
      none,
    ],
    [
      "whose fee grew by booking it anew",
      known({ fee_minor: 15, fee_currency: "EUR", fee_transaction_id: "txn_2" }),
      reported({ fee: { amount_minor: 30, currency: "EUR" } }),
      true,
      { ...none, returnsFee: true, takesFee: { amount_minor: 30, currency: "EUR" } },
    ],
  ] as const)("%s", (_name, before, word, inBooks, expected) => {
    expect(stepsOf(before, word, inBooks)).toEqual(expected);
  });
});
