import { expect, test } from "vitest";
import { listWallets } from "#ledger/index.ts";
import { findOrder, listOrderEvents } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { reversePayment } from "./reverse-payment.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;
const booksBalance = booksBalanceOf(app);
const fee = { amount_minor: 300, currency: "CNY" };

async function open() {
  const shop = await refundShop(app, gateway);
  const { order, session } = await shop.paid({}, { fee });
  const balance = async () => (await listWallets(ctx, shop.tenant, { limit: 9 }))?.data.map(({ balance_minor }) => balance_minor);
  const reverse = (cause: "not_received" | "other_order") => reversePayment(ctx, shop.tenant, { order_id: order.id, cause, note: "slip" });
  return { shop, order, session, balance, reverse };
}

/** The amounts of the transactions that an order's events report, sorted. */
async function amountsOf({ tenant }: RefundShop, order_id: string): Promise<number[]> {
  const { rows } = await listOrderEvents(ctx, tenant, { order_id, limit: 100 });
  const events = rows.map(({ body }) => JSON.parse(body.toString())).filter(({ event }) => event === "transaction.completed");
  for (const { data } of events) expect(data.order.id).toBe(order_id);
  return events.map(({ data }) => data.transaction.amount_minor).sort((one, another) => one - another);
}

test("a provider's payment that never arrived leaves no fee, and each time that it arrives after all it has its fee once", async () => {
  const { shop, order, session, balance, reverse } = await open();
  expect(await balance()).toEqual([9_600]);
  for (const _time of ["first", "second"]) {
    await reverse("not_received");
    expect(await balance()).toEqual([0]);
    await booksBalance();
    for (const _report of ["new", "repeated"]) await shop.ask(session);
    expect(await balance()).toEqual([9_600]);
    expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ flags: [], amount_received_minor: 9_900 });
    await booksBalance();
  }
  const { rows } = await listOrderEvents(ctx, shop.tenant, { order_id: order.id, limit: 100 });
  // A payment and its fee, booked three times and reversed twice.
  expect(rows.filter(({ event }) => event === "transaction.completed")).toHaveLength(10);
});

test("a provider's payment of another order keeps its fee, until it is reversed there as never received", async () => {
  const { shop, order, session, balance, reverse } = await open();
  await reverse("other_order");
  expect(await balance()).toEqual([9_600]);
  await booksBalance();
  const [held] = await shop.cases();
  const other = await shop.order();
  await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "accept", order_id: other.order.id });
  expect((await findOrder(ctx, shop.tenant, other.order.id)).order).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
  expect(await balance()).toEqual([9_600]);
  await reversePayment(ctx, shop.tenant, { order_id: other.order.id, cause: "not_received", note: "slip" });
  expect(await balance()).toEqual([0]);
  // The fee was charged for the first order's payment.
  expect(await amountsOf(shop, order.id)).toEqual([-9_900, -300, 300, 9_900, 9_900]);
  expect(await amountsOf(shop, other.order.id)).toEqual([-9_900, -9_900, 9_900]);
  await booksBalance();
  for (const _report of ["new", "repeated"]) await shop.ask(session);
  expect(await balance()).toEqual([9_600]);
  expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ flags: [], amount_received_minor: 9_900 });
  await booksBalance();
});
