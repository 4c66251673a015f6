import { expect, test } from "vitest";
import { auditLedger, listWallets } from "#ledger/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { forgetfulGateway, pageMs } from "#test/support/gateways/scripted/forgetful-gateway.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import type { PaidThere } from "#test/support/gateways/scripted/paying-gateway.ts";
import { auditBooks } from "../audit-books.ts";
import { startPayment } from "../payment/start-payment.ts";
import { listCredentialsOfPayment } from "../rows/find-gateway-payments.sql.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";

const gateway = forgetfulGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);

/** A payment that was requested twice, of which the provider made two: the buyer may have either page open. */
async function requestedTwice() {
  const shop = await open();
  const { order, session } = await shop.started({ expires_in: 604_800 });
  const payment = () => findGatewayPayment(ctx.db, shop.tenant, session.id);
  const first = (await payment())?.provider_id ?? "";
  clock.advance(pageMs + 1_000);
  const again = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay" });
  expect(again.session.id).toBe(session.id);
  const second = (await payment())?.provider_id ?? "";
  expect(second).not.toBe(first);
  /** The provider reports that something changed, and only names its own id. */
  const report = (providerId: string) => {
    const callback = gateway.callback(session.id, { report: { kind: "ask", about: { reference: null, providerId } } });
    return app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, callback);
  };
  const orderNow = () => findOrderRow(ctx.db, shop.tenant, order.id);
  return { ...shop, session, first, second, payment, report, orderNow };
}
const casesOf = async ({ tenant }: ListedShop) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;
const balanceOf = async ({ tenant }: ListedShop) => (await listWallets(ctx, tenant, { limit: 9 }))?.data[0]?.balance_minor;

test("a payment that was requested again is found by its provider's earlier id, and pays the order", async () => {
  const shop = await requestedTwice();
  expect(await listCredentialsOfPayment(ctx.db, { gateway: "testpay", reference: null, providerId: shop.first })).toMatchObject([
    { credential_id: shop.credential },
  ]);
  gateway.payEarlier(shop.first);
  expect(await shop.report(shop.first)).toMatchObject({ status: 200 });
  expect(await shop.orderNow()).toMatchObject({ status: "paid", flags: [], amount_received_minor: 9900 });
  expect(await shop.payment()).toMatchObject({ status: "done", provider_id: shop.first, settled_id: `cap_${shop.first}` });
  expect(await casesOf(shop)).toEqual([]);
});

test("if the buyer pays both payments, both are booked, once each, and the second one waits for a person", async () => {
  const shop = await requestedTwice();
  gateway.payEarlier(shop.first);
  gateway.pay(shop.session.id);
  for (const id of [shop.second, shop.first, shop.second, shop.first]) await shop.report(id);
  expect(await shop.orderNow()).toMatchObject({ status: "paid", amount_received_minor: 9900 });
  expect(await shop.payment()).toMatchObject({ provider_id: shop.second, settled_id: `cap_${shop.session.id}` });
  expect(await casesOf(shop)).toMatchObject([{ kind: "duplicate", amount_minor: 9900, external_id: `cap_${shop.first}` }]);
  expect(await balanceOf(shop)).toBe(19_800);
});

test("if the buyer pays more on the second payment afterwards, that is booked, once", async () => {
  const shop = await requestedTwice();
  gateway.pay(shop.session.id);
  await shop.report(shop.second);
  gateway.payEarlier(shop.first);
  const paid = gateway.earlier.get(shop.first) as PaidThere;
  for (const amount_minor of [9_900, 12_000, 12_000]) {
    gateway.earlier.set(shop.first, { ...paid, paid: { amount_minor, currency: "CNY" } });
    await shop.report(shop.first);
  }
  const held = Object.fromEntries((await casesOf(shop)).map(({ external_id, amount_minor }) => [external_id, amount_minor]));
  expect(held).toEqual({ [`cap_${shop.first}`]: 9_900, [`cap_${shop.first}+9900`]: 2_100 });
  expect(await balanceOf(shop)).toBe(21_900);
});

test("the end of the earlier payment ends nothing: the present one can still be paid", async () => {
  const shop = await requestedTwice();
  const ended = gateway.earlier.get(shop.first);
  if (ended !== undefined) gateway.earlier.set(shop.first, { ...ended, state: "expired", providerState: "EXPIRED" });
  await shop.report(shop.first);
  expect(await shop.payment()).toMatchObject({ status: "open", provider_id: shop.second });
  gateway.pay(shop.session.id);
  await shop.report(shop.second);
  expect(await shop.orderNow()).toMatchObject({ status: "paid", flags: [] });
});

test("a line of the provider's list that names the earlier id reaches its payment", async () => {
  const shop = await requestedTwice();
  gateway.payEarlier(shop.first);
  shop.list({ providerId: shop.first });
  await compareDays(app, 2);
  expect(await shop.orderNow()).toMatchObject({ status: "paid", amount_received_minor: 9900 });
  expect(await casesOf(shop)).toEqual([]);
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
