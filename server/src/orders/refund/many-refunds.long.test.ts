import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";
import { refundOrder } from "./refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;
const shop = await refundShop(app, gateway);
const booksBalance = booksBalanceOf(app);

const count = 50;
const received = 20_000;
const part = 450;
/** As many as there is money for. */
const most = Math.floor(received / part);

/** Requests all refunds at once, and returns the codes of those that were refused. */
const refundAtOnce = async (order_id: string) => {
  const refund = () => refundOrder(ctx, shop.tenant, { order_id, amount_minor: part });
  const results = await Promise.allSettled(Array.from({ length: count }, refund));
  return results.filter((one) => one.status === "rejected").map(({ reason }) => reason.code);
};
const refusals = Array(count - most).fill("refund_exceeds_received");

test("of fifty concurrent partial refunds of an order, only as many succeed as there is money for", async () => {
  const { order } = await shop.order({ amount_minor: received });
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  expect(await refundAtOnce(order.id)).toEqual(refusals);
  expect(await shop.sums(order.id)).toMatchObject({ received, refunded: most * part, refunding: 0 });
  expect(await shop.refunds(order.id)).toHaveLength(most);
  expect(await shop.moved(order.id)).toEqual(Array(most).fill(-part));
  await booksBalance();
});

test("of fifty concurrent partial refunds through a provider, it gets one request for each that there is money for", async () => {
  const { order } = await shop.paid({ amount_minor: received });
  expect(await refundAtOnce(order.id)).toEqual(refusals);
  const requested = gateway.calls.filter(({ verb }) => verb === "refund").map(({ reference }) => reference);
  expect(requested.toSorted()).toEqual((await shop.refunds(order.id)).map(({ id }) => id).toSorted());
  expect(requested).toHaveLength(most);
  const made = [...gateway.refunds.values()].reduce((sum, { amount }) => sum + (amount?.amount_minor ?? 0), 0);
  expect(made).toBe(most * part);
  expect(await shop.sums(order.id)).toMatchObject({ received, refunded: most * part, refunding: 0 });
  expect(await shop.moved(order.id)).toEqual(Array(most).fill(-part));
  await booksBalance();
});
