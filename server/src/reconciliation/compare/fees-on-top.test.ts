import { expect, test } from "vitest";
import { auditBooks } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const open = listedShops(app, gateway);
const cny = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

test.each([
  { name: "the amount and the fee that the buyer paid on top is no difference", listed: 10_200, fee: 0, reasons: [] },
  { name: "the amount without that fee is none either", listed: 9_900, fee: 0, reasons: [] },
  { name: "the amount and a fee that the merchant paid is one", listed: 10_200, fee: 300, reasons: ["listed_amount"] },
  { name: "the amount and a fee that was never reported is one", listed: 10_200, fee: null, reasons: ["listed_amount"] },
  { name: "more than the amount and the fee is one", listed: 10_300, fee: 0, reasons: ["listed_amount"] },
])("a payment that the provider lists with $name", async ({ listed, fee, reasons }) => {
  const shop = await open();
  await shop.paid({ amount: cny(listed), includedFee: cny(300) }, { fee: fee === null ? null : cny(fee) });
  await compareDays(app, 2);
  const { rows } = await listExceptions(ctx, shop.tenant, { limit: 20, filters: {} });
  expect(rows.map(({ detail }) => detail["reason"])).toEqual(reasons);
  expect(await auditBooks(ctx)).toEqual([]);
});
