import { expect, test } from "vitest";
import { auditLedger, listWallets } from "#ledger/index.ts";
import { auditBooks, findOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

/** What is stored and booked of a payment's fee. */
async function feeOf(shop: ListedShop, { order_id, session_id }: { order_id: string; session_id: string }) {
  const payment = await findGatewayPayment(ctx.db, shop.tenant, session_id);
  const count = "select count(*)::int as fees from ledger_transfers where kind = 'fee' and order_id = ?";
  const [counted] = await runStatement(ctx.db, count, order_id);
  const balance = (await listWallets(ctx, shop.tenant, { limit: 9 }))?.data[0]?.balance_minor;
  return { fee: [payment?.fee_minor, payment?.fee_currency], ...counted, balance };
}

/** Each day is compared, and then all of them again. */
async function compareTwice(shop: ListedShop): Promise<void> {
  await compareDays(app, 2);
  const again = "update gateway_comparisons set compared_until = compared_until - interval '20 days' where credential_id = ?";
  await runStatement(ctx.db, again, shop.credential);
  await compareDays(app, 2);
}

test.each([
  {
    name: "that only the list tells is booked once",
    listed: cny(53),
    reported: null,
    expected: { fee: [53, "CNY"], fees: 1, balance: 9_847 },
  },
  {
    name: "in another currency is stored, and not booked",
    listed: { amount_minor: 7, currency: "USD" },
    reported: null,
    expected: { fee: [7, "USD"], fees: 0, balance: 9_900 },
  },
  {
    name: "that was reported with the payment stays, and isn't booked again",
    listed: cny(53),
    reported: cny(60),
    expected: { fee: [60, "CNY"], fees: 1, balance: 9_840 },
  },
])("a fee $name", async ({ listed, reported, expected }) => {
  const shop = await open();
  const paid = await shop.paid({ fee: listed }, { fee: reported });
  await compareTwice(shop);
  expect(await feeOf(shop, paid)).toEqual(expected);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("the fee of a payment that the list reported first is booked when it is settled", async () => {
  const shop = await open();
  const { order, session } = await shop.started({ expires_in: 2_592_000 });
  gateway.pay(session.id, { paidAt: clock.now() });
  shop.list({ reference: session.id, fee: cny(53) });
  await compareTwice(shop);
  expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ status: "paid" });
  expect(await feeOf(shop, { order_id: order.id, session_id: session.id })).toEqual({ fee: [53, "CNY"], fees: 1, balance: 9_847 });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
