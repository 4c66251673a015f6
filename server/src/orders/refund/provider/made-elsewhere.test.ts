import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import type { SessionRow } from "../../shapes.ts";
import { type RefundInput, refundOrder } from "../refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;

let shop: RefundShop;
let made = 0;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const send = ({ headers, payload }: SentCallback) =>
  app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
const refund = (order_id: string, input: Partial<RefundInput> = {}) => refundOrder(ctx, shop.tenant, { order_id, ...input });
const booksBalance = booksBalanceOf(app);
/** A refund that someone makes at the provider. */
const refundAtProvider = (session: { id: string }, amountMinor: number) =>
  gateway.refundAtProvider(session.id, { id: `rf_elsewhere_${(made += 1)}`, amountMinor });

test("a refund that failed, and that the provider made after all, is shown to a person, once", async () => {
  const { order } = await shop.paid();
  const one = await refund(order.id, { amount_minor: 900 });
  gateway.changeRefund(one.id, { state: "failed" });
  await send(gateway.refundCallback(one.id));
  gateway.changeRefund(one.id, { state: "succeeded" });
  await send(gateway.refundCallback(one.id));
  await send(gateway.refundCallback(one.id));
  expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed" }]);
  const number = `re_${one.id.slice(3)}`;
  expect(await shop.cases()).toMatchObject([{ amount_minor: 900, external_id: number, detail: { reason: "refunded_elsewhere" } }]);
  await refund(order.id, { method: "manual", amount_minor: 900, external_transaction_id: number });
  await send(gateway.refundCallback(one.id));
  expect(await shop.cases()).toHaveLength(1);
  expect(await shop.sums(order.id)).toMatchObject({ refunded: 900 });
  await booksBalance();
});

describe("of two refunds of one amount that the books can't follow", () => {
  test("a person is notified of each", async () => {
    const { order, session } = await shop.paid();
    await refund(order.id, { amount_minor: 9_000 });
    for (const id of [refundAtProvider(session, 1_000), refundAtProvider(session, 1_000)]) await send(gateway.refundCallback(id));
    expect(await shop.cases()).toMatchObject([{ amount_minor: 1_000 }, { amount_minor: 1_000 }]);
  });

  test("the first identified one is the one that the payment's sum showed, and no other", async () => {
    const { order, session } = await shop.paid();
    await refund(order.id, { amount_minor: 9_000 });
    gateway.change(session.id, { refunded: { amount_minor: 10_000, currency: "CNY" } });
    await shop.ask(session);
    const [one, other] = [refundAtProvider(session, 1_000), refundAtProvider(session, 1_000)];
    await send(gateway.refundCallback(one));
    await send(gateway.refundCallback(one));
    expect(await shop.cases()).toMatchObject([{ external_id: `re_${one}` }]);
    await send(gateway.refundCallback(other));
    expect((await shop.cases()).map(({ external_id }) => external_id).sort()).toEqual([`re_${one}`, `re_${other}`]);
  });
});

test("a recorded refund explains what its payment's sum showed, and no other refund's exception", async () => {
  const { order, session } = await shop.paid();
  const notify = (at: number, state: "inquiry" | "won") =>
    send(gateway.callback(session.id, { report: { kind: "dispute", dispute: disputeOf(session.id, { at, state }) } }));
  await notify(1, "inquiry");
  const one = refundAtProvider(session, 300);
  await send(gateway.refundCallback(one));
  await notify(2, "won");
  await send(gateway.refundCallback(refundAtProvider(session, 500)));
  expect(await shop.sums(order.id)).toMatchObject({ refunded: 500 });
  expect((await shop.cases()).filter(({ status }) => status === "open")).toMatchObject([{ external_id: `re_${one}`, amount_minor: 300 }]);
});

test("a refund that a person recorded, and that the provider's list contains, is recognized when a callback reports it", async () => {
  const { order, session } = await shop.paid();
  const recorded = await refund(order.id, { method: "manual", amount_minor: 700 });
  const one = refundAtProvider(session, 700);
  await runStatement(ctx.db, "update refunds set gateway_refund_id = ? where id = ?", `re_${one}`, recorded.id);
  await send(gateway.refundCallback(one));
  expect([await shop.refunds(order.id), await shop.cases()]).toMatchObject([[{ id: recorded.id }], []]);
  await booksBalance();
});

describe("of a refund that a person recorded with the provider's number", () => {
  const total = async (session: SessionRow, amountMinor: number) => {
    gateway.change(session.id, { refunded: { amount_minor: amountMinor, currency: "CNY" } });
    await shop.ask(session);
  };
  const record = (orderId: string, given: Partial<RefundInput>) => refund(orderId, { method: "manual", amount_minor: 900, ...given });

  test("the payment's sum opens no exception, but one for what was refunded beyond", async () => {
    const { order, session } = await shop.paid();
    await record(order.id, { external_transaction_id: "re_recorded_1" });
    await total(session, 900);
    expect(await shop.cases()).toEqual([]);
    await total(session, 1_800);
    expect(await shop.cases()).toMatchObject([{ amount_minor: 900, status: "open", detail: { reason: "refunded_elsewhere" } }]);
    await booksBalance();
  });

  test("after the payment's sum had shown it, the callback that names it ends the exception", async () => {
    const { order, session } = await shop.paid();
    const one = gateway.refundAtProvider(session.id, { id: `rf_elsewhere_${(made += 1)}`, amountMinor: 900 });
    await total(session, 900);
    expect(await shop.cases()).toMatchObject([{ amount_minor: 900, status: "open" }]);
    await record(order.id, { external_transaction_id: `re_${one}` });
    await send(gateway.refundCallback(one));
    expect(await shop.cases()).toMatchObject([{ amount_minor: 900, status: "resolved", resolution: "released" }]);
    await total(session, 1_800);
    expect((await shop.cases()).filter(({ status }) => status === "open")).toMatchObject([{ amount_minor: 900 }]);
    await booksBalance();
  });

  test("and an exception count as one, however the person resolved it", async () => {
    const { order, session } = await shop.paid();
    await total(session, 900);
    await record(order.id, { external_transaction_id: "re_recorded_2" });
    await runStatement(ctx.db, "update payment_exceptions set status = 'resolved', resolution = 'ignore' where order_id = ?", order.id);
    await total(session, 1_800);
    expect((await shop.cases()).filter(({ status }) => status === "open")).toMatchObject([{ amount_minor: 900 }]);
  });

  test("in another way than through the provider, the payment's sum shows another one", async () => {
    const { order, session } = await shop.paid();
    await record(order.id, { channel: "bank_transfer", external_transaction_id: "transfer_1" });
    await total(session, 900);
    expect(await shop.cases()).toMatchObject([{ amount_minor: 900, status: "open" }]);
  });
});
