import { describe, expect, test } from "vitest";
import { findCredential, GatewayError } from "#gateways/index.ts";
import { listOrderRefunds, refundOrder } from "#orders/index.ts";
import type { RefundInput } from "#orders/refund/refund-order.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const booksBalance = booksBalanceOf(app);
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

const days = (count: number) => compareDays(app, count);
const casesOf = async ({ tenant }: ListedShop) =>
  (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows.map(({ status, detail }) => [status, detail["reason"]]);
const refundsOf = async ({ tenant }: ListedShop, order_id: string) =>
  (await listOrderRefunds(ctx, tenant, { order_id, limit: 20 })).rows.map(({ amount_minor, gateway_refund_id }) => [
    amount_minor,
    gateway_refund_id,
  ]);

test("a refund that was made at the provider, and that its list named, isn't missing from the list two weeks later", async () => {
  const shop = await open();
  await days(2);
  const { order_id, session_id } = await shop.paid();
  shop.list({ kind: "refund", providerId: "re_named", captureId: `cap_${session_id}`, amount: cny(500) });
  await days(20);
  expect([await refundsOf(shop, order_id), await casesOf(shop)]).toEqual([[[500, "re_named"]], []]);
  await booksBalance();
});

test("the refund of money that was refunded before it was reported has the number that the provider lists", async () => {
  const shop = await open();
  await days(2);
  const { order, session } = await shop.started();
  gateway.pay(session.id, { paidAt: clock.now(), refunded: cny(9_900) });
  await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.callback(session.id));
  shop.list({ reference: session.id, captureId: `cap_${session.id}` });
  shop.list({ kind: "refund", providerId: "re_early", captureId: `cap_${session.id}`, amount: cny(9_900) });
  await days(20);
  expect([await refundsOf(shop, order.id), await casesOf(shop)]).toEqual([[[9_900, "re_early"]], [["resolved", "refunded"]]]);
  await booksBalance();
});

/** A refund through the provider, which failed after it had succeeded, and which the provider lists. */
async function failedRefund(shop: ListedShop) {
  const { order_id, session_id } = await shop.paid();
  const { id } = await refundOrder(ctx, shop.tenant, { order_id, amount_minor: 500 });
  gateway.changeRefund(id, { state: "failed" });
  await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.refundCallback(id));
  shop.list({ kind: "refund", reference: id, providerId: `re_${id.slice(3)}`, captureId: `cap_${session_id}`, amount: cny(500) });
  const statuses = async () =>
    (await listOrderRefunds(ctx, shop.tenant, { order_id, limit: 20 })).rows.map(({ id: name, status }) => [name, status]);
  return { id, statuses };
}

test("a listed refund that failed here is no difference if it failed at the provider too", async () => {
  const shop = await open();
  const { id, statuses } = await failedRefund(shop);
  await days(2);
  expect([await statuses(), await casesOf(shop)]).toEqual([[[id, "failed"]], []]);
  await booksBalance();
});

test("a listed refund that failed here is reported if it succeeded at the provider after all", async () => {
  const shop = await open();
  const { id, statuses } = await failedRefund(shop);
  gateway.changeRefund(id, { state: "succeeded" });
  await days(2);
  expect([await statuses(), await casesOf(shop)]).toEqual([[[id, "failed"]], [["open", "listed_refund_failed"]]]);
});

test("a day isn't compared until the provider says whether a listed refund failed there too", async () => {
  const shop = await open();
  const { id } = await failedRefund(shop);
  gateway.meanwhile = (verb, reference) => {
    if (verb === "query_refund" && reference === id)
      throw new GatewayError("unavailable", { code: "http_503", message: "The provider is down." });
  };
  await days(2);
  gateway.meanwhile = null;
  const { comparison_status } = await findCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential });
  expect([comparison_status, await casesOf(shop)]).toEqual(["failed", []]);
  gateway.changeRefund(id, { state: "succeeded" });
  await days(1);
  expect(await casesOf(shop)).toEqual([["open", "listed_refund_failed"]]);
});

const refusingToSay = (id: string, kind: GatewayError["kind"]) => (verb: string, reference: string) => {
  if (verb === "query_refund" && reference === id) throw new GatewayError(kind, { code: kind, message: "The provider doesn't say." });
};

test.each([
  { kind: "auth", after: 2 },
  { kind: "declined", after: 2 },
  { kind: "conflict", after: 2 },
  { kind: "unavailable", after: 7 },
  { kind: "rate_limited", after: 7 },
] as const)(
  "after $after days, a refund that the provider never explains ($kind) is reported, and the next day is compared",
  async ({ kind, after }) => {
    const shop = await open();
    const { id } = await failedRefund(shop);
    gateway.meanwhile = refusingToSay(id, kind);
    await days(after);
    const status = async () => (await findCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential })).comparison_status;
    expect(await status()).not.toBe("failed");
    expect(await casesOf(shop)).toEqual([["open", "listed_refund_failed"]]);
    await shop.paid({ amount: cny(9_800) });
    await days(2);
    gateway.meanwhile = null;
    expect(await status()).not.toBe("failed");
    expect((await casesOf(shop)).toSorted()).toEqual([
      ["open", "listed_amount"],
      ["open", "listed_refund_failed"],
    ]);
  },
);

test("attempts whose list failed don't count as attempts to explain a refund", async () => {
  const shop = await open();
  const { id } = await failedRefund(shop);
  gateway.meanwhile = (verb) => {
    if (verb === "list") throw new GatewayError("unavailable", { code: "http_503", message: "The provider is down." });
  };
  await days(8);
  gateway.meanwhile = refusingToSay(id, "unavailable");
  await days(1);
  const { comparison_status } = await findCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential });
  expect([comparison_status, await casesOf(shop)]).toEqual(["failed", []]);
  await days(5);
  gateway.meanwhile = null;
  expect(await casesOf(shop)).toEqual([["open", "listed_refund_failed"]]);
});

test("a listed payment that the provider never explains is reported after a week, and the next day is compared", async () => {
  const shop = await open();
  const { session } = await shop.started({ expires_in: 2_592_000 });
  shop.list({ reference: session.id });
  gateway.meanwhile = (verb, reference) => {
    if (verb === "query" && reference === session.id) throw new GatewayError("auth", { code: "auth", message: "No." });
  };
  await days(7);
  await shop.paid({ amount: cny(9_800) });
  await days(2);
  gateway.meanwhile = null;
  expect((await casesOf(shop)).toSorted()).toEqual([
    ["open", "listed_amount"],
    ["open", "listed_unsettled"],
  ]);
});

test("a listed refund that someone made at the provider, and that came back, isn't recorded", async () => {
  const shop = await open();
  const { order_id, session_id } = await shop.paid();
  const there = gateway.refundAtProvider(session_id, { id: "rf_back", amountMinor: 500 });
  gateway.changeRefund(there, { state: "failed" });
  shop.list({ kind: "refund", providerId: "re_rf_back", captureId: `cap_${session_id}`, amount: cny(500) });
  await days(2);
  expect([await refundsOf(shop, order_id), await casesOf(shop)]).toEqual([[], []]);
  await booksBalance();
});

test.each([
  { state: "pending", recorded: 0, cases: [["open", "refunded_elsewhere"]] },
  { state: "succeeded", recorded: 1, cases: [] },
] as const)(
  "a refund that was still processing when it was listed isn't recorded unless it succeeded since: it is $state",
  async ({ state, recorded, cases }) => {
    const shop = await open();
    const { order_id, session_id } = await shop.paid();
    const there = gateway.refundAtProvider(session_id, { id: `rf_slow_${state}`, amountMinor: 500 });
    gateway.changeRefund(there, { state });
    const line = { kind: "refund", providerId: `re_${there}`, captureId: `cap_${session_id}`, amount: cny(500) } as const;
    shop.list({ ...line, isProcessing: true });
    await days(3);
    expect([(await refundsOf(shop, order_id)).length, await casesOf(shop)]).toEqual([recorded, cases]);
    await booksBalance();
  },
);

test("a refund of ours that is still processing when it is listed is no difference", async () => {
  const shop = await open();
  const { order_id, session_id } = await shop.paid();
  gateway.refundsBegin = { state: "pending" };
  const { id } = await refundOrder(ctx, shop.tenant, { order_id, amount_minor: 500 });
  gateway.refundsBegin = {};
  const line = { kind: "refund", reference: id, providerId: `re_${id.slice(3)}`, captureId: `cap_${session_id}` } as const;
  shop.list({ ...line, amount: cny(500), isProcessing: true });
  await days(3);
  expect(await casesOf(shop)).toEqual([]);
});

describe("a refund that a person made at the provider and recorded", () => {
  const record = ({ tenant }: ListedShop, order_id: string, more: Partial<RefundInput> = {}) =>
    refundOrder(ctx, tenant, { method: "manual", order_id, amount_minor: 500, ...more });
  const listAll = (shop: ListedShop, session_id: string, names: readonly string[]) => {
    for (const providerId of names) shop.list({ kind: "refund", providerId, captureId: `cap_${session_id}`, amount: cny(500) });
  };
  const strangeOf = async ({ tenant }: ListedShop) =>
    (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows.map((one) => [
      one.external_id,
      one.order_id,
      one.detail["reason"],
    ]);

  test("is the one that the provider lists, each once", async () => {
    const shop = await open();
    const { order_id, session_id } = await shop.paid();
    await record(shop, order_id);
    await record(shop, order_id, { external_transaction_id: "re_second" });
    listAll(shop, session_id, ["re_first", "re_second", "re_third"]);
    await days(2);
    expect(await strangeOf(shop)).toEqual([["re_third", order_id, "refunded_elsewhere"]]);
    await booksBalance();
  });

  test("is found by the merchant's number, if the provider lists that too", async () => {
    const shop = await open();
    const { order_id, session_id } = await shop.paid();
    await record(shop, order_id, { external_transaction_id: "R-17" });
    shop.list({ kind: "refund", providerId: "5030", reference: "R-17", captureId: `cap_${session_id}`, amount: cny(500) });
    await days(2);
    expect([await refundsOf(shop, order_id), await casesOf(shop)]).toEqual([[[500, "5030"]], []]);
  });

  test.each<{ what: string; recorded: Partial<RefundInput>; listed: string[] }>([
    { what: "paid back in another way", recorded: { channel: "bank_transfer" }, listed: ["re_strange"] },
    {
      what: "paid back in another way, with its number",
      recorded: { channel: "bank_transfer", external_transaction_id: "B-7" },
      listed: ["re_strange"],
    },
    { what: "listed later, under its own number", recorded: { external_transaction_id: "re_own" }, listed: ["re_strange", "re_own"] },
  ])("isn't another one of the same amount: it was $what", async ({ recorded, listed }) => {
    const shop = await open();
    const { order_id, session_id } = await shop.paid();
    await record(shop, order_id, recorded);
    listAll(shop, session_id, listed);
    await days(2);
    expect(await strangeOf(shop)).toEqual([["re_strange", order_id, "refunded_elsewhere"]]);
    await booksBalance();
  });
});
