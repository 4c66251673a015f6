import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
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

test("a payment that was reversed as never received, and that the provider doesn't list either, is no difference", async () => {
  const shop = await open();
  await days(1);
  clock.advance(86_400_000);
  const { order_id } = await shop.paid(null);
  await reversePayment(ctx, shop.tenant, { order_id, cause: "not_received", note: "slip" });
  await days(20);
  expect(await casesOf(shop)).toEqual([]);
});
