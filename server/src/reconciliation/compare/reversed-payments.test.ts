import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { reversePayment } from "../reverse/reverse-payment.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);

const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
const days = (count: number) => compareDays(app, count);
const casesOf = async ({ tenant }: ListedShop) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;

test("a payment that was reversed as never received, and that the provider lists, is reported and can be booked again, once", async () => {
  const shop = await open();
  const { order_id } = await shop.paid();
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  await days(2);
  const [found, ...others] = await casesOf(shop);
  expect([found, others]).toMatchObject([{ order_id, amount_minor: 9_900, detail: { reason: "listed_unsettled" } }, []]);
  await resolveException(ctx, shop.tenant, { exception_id: found?.id ?? "", action: "accept", note: "it is in the list" });
  expect((await findOrder(ctx, shop.tenant, order_id)).order).toMatchObject({
    status: "paid",
    amount_received_minor: 9_900,
    flags: ["manually_verified"],
  });
  expect([await auditBooks(ctx), (await auditLedger(ctx)).faults]).toEqual([[], []]);
});

/** A payment of 99.00 to which 21.00 was added later; an exception holds them. */
async function paidMore() {
  const shop = await open();
  const { order_id, session_id } = await shop.paid(null);
  const report = () => app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.callback(session_id));
  gateway.change(session_id, { paid: cny(12_000) });
  await report();
  const [held] = await casesOf(shop);
  expect(held).toMatchObject({ kind: "duplicate", amount_minor: 2_100 });
  /** As the provider's list names it. */
  const name = { reference: session_id, providerId: `pay_${session_id.slice(3)}` };
  const received = async () => {
    const sums = "select coalesce(sum(amount_minor), 0)::int as sum from received_payments where payment_session_id = ?";
    return (await runStatement(ctx.db, sums, session_id))[0]?.["sum"];
  };
  return { shop, order_id, report, held, name, received };
}

test("of a payment that a person reversed as never received, only what isn't in the books is booked when it is accepted", async () => {
  const { shop, order_id, report, name, received } = await paidMore();
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  shop.list({ ...name, amount: cny(12_000) });
  await days(2);
  const [found, ...others] = await casesOf(shop);
  const detail = { reason: "listed_unsettled", booked_minor: 2_100, booked_currency: "CNY" };
  expect(found).toMatchObject({ amount_minor: 12_000, detail });
  expect(others).toMatchObject([{ kind: "duplicate" }]);
  await resolveException(ctx, shop.tenant, { exception_id: found?.id ?? "", action: "accept", note: "it is in the list" });
  expect((await findOrder(ctx, shop.tenant, order_id)).order).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
  expect(await received()).toBe(12_000);
  await report();
  await days(2);
  expect([await received(), await casesOf(shop)]).toMatchObject([12_000, [{ status: "resolved" }, { kind: "duplicate" }]]);
});

test("a listed payment of which a person reversed the rest as never received is no difference", async () => {
  const { shop, order_id, name, received } = await paidMore();
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  shop.list({ ...name, amount: cny(2_100) });
  await days(2);
  expect([await received(), await casesOf(shop)]).toMatchObject([2_100, [{ kind: "duplicate" }]]);
  expect(await casesOf(shop)).toHaveLength(1);
});

test("an exception about a payment can't be accepted once the books have all of it", async () => {
  const { shop, order_id, report, name, received } = await paidMore();
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  shop.list({ ...name, amount: cny(12_000) });
  await days(2);
  await report();
  const [found] = await casesOf(shop);
  const accepting = resolveException(ctx, shop.tenant, { exception_id: found?.id ?? "", action: "accept", note: "it is in the list" });
  await expect(accepting).rejects.toMatchObject({ code: "order_state_conflict" });
  expect(await received()).toBe(12_000);
});

test("a listed payment to which money was added that a person reversed as never received is a difference", async () => {
  const { shop, held, name, received } = await paidMore();
  const other = (await shop.order({ amount_minor: 2_100 })).order.id;
  await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "accept", order_id: other });
  await reversePayment(ctx, shop.tenant, { order_id: other, cause: "not_received", note: "slip" });
  shop.list({ ...name, amount: cny(12_000) });
  await days(2);
  expect(await received()).toBe(9_900);
  expect((await casesOf(shop))[0]).toMatchObject({ amount_minor: 12_000, detail: { reason: "listed_amount", booked_minor: 9_900 } });
});

test("a payment that was reversed as never received, and that the provider doesn't list either, is no difference", async () => {
  const shop = await open();
  await days(1);
  clock.advance(86_400_000);
  const { order_id } = await shop.paid(null);
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  await days(20);
  expect(await casesOf(shop)).toEqual([]);
});

test("after all of these tests the books agree", async () => {
  expect([await auditBooks(ctx), (await auditLedger(ctx)).faults]).toEqual([[], []]);
});
