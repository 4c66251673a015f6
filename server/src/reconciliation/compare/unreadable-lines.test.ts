import { expect, test } from "vitest";
import { findCredential } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";
import { type ListedShop, listedShops } from "#test/support/gateways/scripted/listed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const open = listedShops(app, gateway);

const nextDays = (days: number) => compareDays(app, days);
/** The provider lists something that can't be read, except for what it's called. */
const listUnreadable = ({ key }: ListedShop, names: { name: string; reference?: string; captureId?: string }) => {
  const line = { kind: "unreadable", reference: null, providerId: null, captureId: null, ...names } as const;
  gateway.settled.set(key, [...(gateway.settled.get(key) ?? []), line]);
};
/** The smallest amount first. */
const casesOf = async ({ tenant }: ListedShop) =>
  (await listExceptions(ctx, tenant, { limit: 100, filters: {} })).rows.toSorted((one, other) => one.amount_minor - other.amount_minor);
const accountOf = ({ tenant, credential }: ListedShop) => findCredential(ctx, tenant, { gateway: "testpay", id: credential });

test("a line that can't be read is reported once, and the rest of its day is compared", async () => {
  const shop = await open();
  await shop.paid();
  const wrong = await shop.paid({ amount: { amount_minor: 9800, currency: "CNY" } });
  const known = await shop.paid(null);
  listUnreadable(shop, { name: "line of ours", captureId: `cap_${known.session_id}` });
  listUnreadable(shop, { name: "2026-11-20 4" });
  listUnreadable(shop, { name: "line of another program", reference: "order-17" });
  await nextDays(18);
  const cases = await casesOf(shop);
  expect(cases.map(({ detail }) => detail["reason"])).toEqual(["listed_unreadable", "listed_amount", "listed_unreadable"]);
  expect(cases).toMatchObject([
    { kind: "unmatched", order_id: null, external_id: "2026-11-20 4", amount_minor: 0, currency: "CNY" },
    { order_id: wrong.order_id },
    { kind: "mismatch", order_id: known.order_id, payment_session_id: known.session_id, amount_minor: 9900 },
  ]);
  expect(await accountOf(shop)).toMatchObject({ comparison_status: "different", compared_differences: 2, comparison_error: null });
  const exception_id = cases[0]?.id ?? "";
  const accepted = resolveException(ctx, shop.tenant, { exception_id, action: "accept" });
  await expect(accepted).rejects.toMatchObject({ code: "order_state_conflict" });
  expect(await resolveException(ctx, shop.tenant, { exception_id, action: "ignore" })).toMatchObject({ status: "resolved" });
});

test("a payment that no one reported is asked about although its line can't be read", async () => {
  const shop = await open();
  const { order, session } = await shop.started({ expires_in: 2_592_000 });
  gateway.pay(session.id, { paidAt: clock.now() });
  listUnreadable(shop, { name: "line of ours", reference: session.id });
  await nextDays(2);
  expect(await casesOf(shop)).toMatchObject([{ order_id: order.id, amount_minor: 9900, detail: { reason: "listed_unreadable" } }]);
  expect((await findOrder(ctx, shop.tenant, order.id)).order).toMatchObject({ status: "paid" });
});

test("a list of which many lines can't be read isn't compared", async () => {
  const shop = await open();
  for (let at = 1; at <= 21; at += 1) listUnreadable(shop, { name: `line ${at}` });
  await nextDays(2);
  expect(await accountOf(shop)).toMatchObject({ comparison_status: "failed", comparison_error: { code: "malformed_answer" } });
  expect(await casesOf(shop)).toEqual([]);
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
