import { describe, expect, test } from "vitest";
import { auditLedger, listTransactions } from "#ledger/index.ts";
import { auditBooks, createComparer } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { findOrderRow } from "../rows/orders.sql.ts";

const gateway = payingGateway({ lists: true });
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const key = "tp_shared";

/** Two projects whose payments go to one account with the provider, which tells both of everything. */
const open = async () => {
  const [one, other] = [await gatewayShop(app), await gatewayShop(app)];
  const [ours, theirs] = [await one.account(key), await other.account(key)];
  const sendCallback = async ({ headers, payload }: SentCallback) => {
    for (const credential of [theirs, ours])
      await app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
  };
  const { order, session } = await one.started();
  gateway.pay(session.id, { paidAt: clock.now() });
  await sendCallback(gateway.callback(session.id));
  return { one, other, order, session, sendCallback };
};
/** Lets days pass in which accounts are compared with the provider's list. */
const compared = async (days: number) => {
  for (let day = 0; day < days; day += 1, clock.advance(86_400_000)) {
    const comparer = createComparer();
    for (let started = 1; started > 0; await comparer.idle()) started = await comparer.run(ctx);
    await comparer.finish(ctx);
  }
};
const casesOf = async ({ tenant }: GatewayShop) => (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows;
const bookedOf = async ({ tenant }: GatewayShop) => (await listTransactions(ctx, tenant, { limit: 20 }))?.data ?? [];

describe("a payment to an account that two projects share", () => {
  test("belongs to the project that requested it, and isn't unknown money in the other's books", async () => {
    const { one, other, order } = await open();
    expect(await findOrderRow(ctx.db, one.tenant, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
    expect([await casesOf(other), await bookedOf(other)]).toEqual([[], []]);
  });

  test("is disputed and refunded only in that project", async () => {
    const { one, other, session, sendCallback } = await open();
    await sendCallback(gateway.callback(session.id, { report: { kind: "dispute", dispute: disputeOf(session.id, { at: 1 }) } }));
    const id = gateway.refundAtProvider(session.id, { id: "rf_shared", amountMinor: 100 });
    await sendCallback(gateway.refundCallback(id));
    expect(await casesOf(one)).toMatchObject([{ detail: { reason: "refunded_elsewhere" } }, { detail: { reason: "disputed" } }]);
    expect([await casesOf(other), await bookedOf(other)]).toEqual([[], []]);
  });

  test("that was entered twice in one project pays its order, whichever entry is compared with the provider's list first", async () => {
    const shop = await gatewayShop(app);
    for (let entry = 0; entry < 3; entry += 1) await shop.account("tp_twice");
    const { order, session } = await shop.started({ expires_in: 2_000_000 });
    gateway.pay(session.id, { paidAt: clock.now() });
    const line = { kind: "payment", providerId: null, captureId: `cap_${session.id}`, occurredAt: clock.now() } as const;
    gateway.settled.set("tp_twice", [{ ...line, reference: session.id, amount: { amount_minor: 9_900, currency: "CNY" } }]);
    await compared(3);
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9_900 });
    expect(await casesOf(shop)).toEqual([]);
  });

  test("belongs to another project if that one compares the provider's list", async () => {
    const { one, other, session } = await open();
    const line = { kind: "payment", providerId: null, captureId: `cap_${session.id}`, occurredAt: clock.now() } as const;
    gateway.settled.set(key, [{ ...line, reference: session.id, amount: { amount_minor: 9_900, currency: "CNY" } }]);
    await compared(3);
    expect(gateway.countOf("list")).toBeGreaterThan(0);
    expect([await casesOf(one), await casesOf(other), await bookedOf(other)]).toEqual([[], [], []]);
    expect([await auditBooks(ctx), (await auditLedger(ctx)).faults]).toEqual([[], []]);
  });
});
