import { expect, test } from "vitest";
import { beijingTime, instantOf, kindOf, plainText, snapshotOf } from "./wire.ts";

test.each([
  ["2026-11-20T15:59:59.999Z", "2026-11-20 23:59:59"],
  ["2026-11-20T16:00:00.000Z", "2026-11-21 00:00:00"],
  ["2026-07-01T00:00:00.000Z", "2026-07-01 08:00:00"],
])("%s is %s in Beijing, and back", (instant, wall) => {
  expect(beijingTime(new Date(instant))).toBe(wall);
  expect(instantOf(wall)?.getTime()).toBe(Math.floor(Date.parse(instant) / 1_000) * 1_000);
});

test.each([null, "", "2026-11-20", "2026-13-20 00:00:00", "2026-11-20T16:00:00", "now"])("%j isn't a time", (text) => {
  expect(instantOf(text)).toBeNull();
});

test("a title retains its letters and loses what Alipay forbids", () => {
  expect(plainText("a/b=c&d 50% + 茶", 20)).toBe("a／b＝c＆d 50% + 茶");
  expect(plainText("茶🍵茶", 2)).toBe("茶🍵");
});

test.each([
  ["20000", "isp.unknow-error", "unavailable", "unknown_outcome"],
  ["20000", "", "unavailable", "unknown_outcome"],
  ["10003", "", "unavailable", "unknown_outcome"],
  ["20001", "aop.invalid-app-auth-token", "auth", "auth"],
  ["40001", "isv.missing-app-id", "invalid", "invalid"],
  ["40002", "isv.invalid-parameter", "invalid", "invalid"],
  ["40002", "isv.invalid-signature", "auth", "auth"],
  ["40002", "isv.invalid-app-id", "auth", "auth"],
  ["40003", "isv.missing-signature-config", "auth", "auth"],
  ["40005", "isv.method-call-limited", "rate_limited", "rate_limited"],
  ["40006", "isv.insufficient-isv-permissions", "auth", "auth"],
  ["40004", "ACQ.SYSTEM_ERROR", "unavailable", "unknown_outcome"],
  ["40004", "AQC.SYSTEM_ERROR", "unavailable", "unknown_outcome"],
  ["40004", "ACQ.TRADE_NOT_EXIST", "not_found", "not_found"],
  ["40004", "ACQ.TRADE_HAS_SUCCESS", "already_paid", "already_paid"],
  ["40004", "ACQ.TRADE_HAS_CLOSE", "conflict", "conflict"],
  ["40004", "ACQ.SELLER_BALANCE_NOT_ENOUGH", "declined", "declined"],
  ["40004", "ACQ.REASON_TRADE_REFUND_FEE_ERR", "invalid", "invalid"],
  ["40004", "ACQ.SOMETHING_NEW", "invalid", "invalid"],
  ["40004", "constructor", "invalid", "invalid"],
])("%s %s is %s for a query, and %s if it may have changed something", (code, subCode, whenReading, whenChanging) => {
  expect(kindOf({ code, subCode, changes: false })).toBe(whenReading);
  expect(kindOf({ code, subCode, changes: true })).toBe(whenChanging);
});

const trade = {
  trade_status: "TRADE_SUCCESS",
  total_amount: "12.34",
  out_trade_no: "ps_1",
  trade_no: "1",
  send_pay_date: "2026-11-20 16:00:00",
};

test.each([
  [
    "a total that buyers paid in part with coupons of Alipay's",
    { buyer_pay_amount: "10.00" },
    { state: "succeeded", paid: { amount_minor: 1_234 } },
  ],
  ["a charge", { charge_amount: "0.07" }, { fee: { amount_minor: 7, currency: "CNY" } }],
  ["no charge", {}, { fee: null, paidAt: new Date("2026-11-20T08:00:00.000Z") }],
  [
    "a closed trade with a time of payment and no money",
    { trade_status: "TRADE_CLOSED", buyer_pay_amount: "0.00", receipt_amount: "0.00" },
    { state: "canceled", paid: null, paidAt: null },
  ],
])("a response with %s is recognized", (_what, over, expected) => {
  const fields: Record<string, string> = { ...trade, ...over };
  expect(snapshotOf((name) => fields[name] ?? null, "app")).toMatchObject(expected);
});
