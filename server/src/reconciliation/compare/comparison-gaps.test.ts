import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const open = listedShops(app, gateway);

const nextDays = (days: number) => compareDays(app, days);
const fail = (times: number) => {
  for (let at = 0; at < times; at += 1) gateway.fault("list", { kind: "auth", code: "no_permission" });
};

test("payments of days that were skipped after a long pause aren't reported as missing, but the days are, once", async () => {
  const shop = await open();
  const reasons = async () =>
    (await listExceptions(ctx, shop.tenant, { limit: 100, filters: {} })).rows.map(({ detail }) => detail["reason"]);
  await shop.paid();
  await nextDays(3);
  fail(50);
  await nextDays(2);
  // Its provider lists it on a day that is never compared.
  await shop.paid();
  await nextDays(48);
  const missing = await shop.paid(null);
  await nextDays(30);
  expect(await reasons()).toEqual(["not_listed", "days_not_compared"]);
  const { rows } = await listExceptions(ctx, shop.tenant, { limit: 100, filters: {} });
  const days = { first_day: expect.stringMatching(/^2026-11-2[23]$/), last_day: expect.stringMatching(/^2026-12-/) };
  expect(rows).toMatchObject([
    { order_id: missing.order_id },
    { order_id: null, amount_minor: 0, currency: "CNY", detail: { ...days, source: "comparison" } },
  ]);
});
