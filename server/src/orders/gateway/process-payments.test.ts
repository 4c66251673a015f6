import { describe, expect, test } from "vitest";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop, pollDue, silentForDays } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { expireDue } from "../order/expire-due.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { pollPayment } from "./poll-payment.ts";
import { watchPayments } from "./process-payments.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const open = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return shop;
};
const orderOf = (shop: GatewayShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const sessionOf = (shop: GatewayShop, id: string) => findSession(ctx.db, shop.tenant, id);
const paymentOf = (shop: GatewayShop, id: string) => findGatewayPayment(ctx.db, shop.tenant, id);
const pollsOf = (id: string) => gateway.calls.filter(({ verb, reference }) => verb === "query" && reference === id).length;

test("a payment without any report is queried after 5 minutes, an hour, and then every day", async () => {
  const shop = await open();
  const { session } = await shop.started({ expires_in: 2_592_000 });
  const polled: number[] = [];
  const dayMinutes = 24 * 60;
  let now = 0;
  for (const minutes of [4, 5, 64, 65, 65 + dayMinutes - 1, 65 + dayMinutes, 65 + 2 * dayMinutes - 1, 65 + 2 * dayMinutes]) {
    clock.advance((minutes - now) * minute);
    now = minutes;
    const before = pollsOf(session.id);
    await pollDue(app);
    if (pollsOf(session.id) > before) polled.push(minutes);
  }
  expect(polled).toEqual([5, 65, 65 + dayMinutes, 65 + 2 * dayMinutes]);
});

describe("an open page", () => {
  test("causes queries about its payment at 1, 3, 10 and 30 seconds, and every 30 after that", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const polled: number[] = [];
    let now = 0;
    // Those before and after each query, and some between.
    for (const second of [0, 1, 2, 3, 4, 9, 10, 11, 20, 29, 30, 31, 40, 59, 60, 61, 80, 89, 90, 91, 100, 119]) {
      clock.advance((second - now) * 1_000);
      now = second;
      if (second % 20 === 0) await watchPayments(ctx, [order]);
      const before = pollsOf(session.id);
      await pollDue(app);
      if (pollsOf(session.id) > before) polled.push(second);
    }
    expect(polled).toEqual([1, 3, 10, 30, 60, 90]);
    expect(await paymentOf(shop, session.id)).toMatchObject({ asks: 0 });
  });

  test("doesn't keep a payment whose provider is silent from a person: one is notified as soon as without it, and the order expires", async () => {
    const shop = await open();
    const { order, token, session } = await shop.started({ expires_in: 600 });
    const cases = async () =>
      (await listExceptions(ctx, shop.tenant, { limit: 10, filters: {} })).rows.map(({ detail }) => detail["reason"]);
    const silentUntil = async (hours: number) => {
      for (const end = ctx.now().getTime() + hours * hour; ctx.now().getTime() < end; clock.advance(hour - 2_000)) {
        await watchPayments(ctx, [order]);
        clock.advance(2_000);
        gateway.fault("close", { kind: "unavailable", of: session.id });
        gateway.fault("query", { kind: "unavailable", of: session.id });
        await pollDue(app);
        await expireDue(ctx);
      }
    };
    clock.advance(601_000);
    await silentUntil(70);
    expect([await cases(), (await orderOf(shop, order.id))?.status]).toEqual([[], "unpaid"]);
    await silentUntil(6);
    expect([await cases(), (await orderOf(shop, order.id))?.status]).toEqual([["outcome_unknown"], "expired"]);
    const page = (await app.api().get(`/api/public/pay/${token}`)).body;
    expect(page).toMatchObject({ state: "expired", session: { status: "expired", outcome_unknown: true } });
  });

  test("shows a payment that no callback reported", async () => {
    const shop = await open();
    const { order, token, session } = await shop.started();
    expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({ state: "pay" });
    gateway.pay(session.id);
    clock.advance(1_500);
    await pollDue(app);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
    expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({ state: "paid" });
  });
});

describe("before an order expires", () => {
  test("its payment is closed at the provider", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    clock.advance(601_000);
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
    await pollDue(app);
    expect(gateway.payments.get(session.id)).toMatchObject({ state: "canceled" });
    expect(await sessionOf(shop, session.id)).toMatchObject({ status: "expired" });
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "expired" });
  });

  test("and it was paid at the last moment, it is paid", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    clock.advance(601_000);
    gateway.pay(session.id);
    await pollDue(app);
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: [] });
  });

  test("and the outcome is unknown, a person is notified after five queries, and only then may it expire", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    clock.advance(601_000);
    for (let times = 0; times < 5; times += 1) {
      gateway.fault("close", { kind: "unavailable", of: session.id });
      await pollDue(app);
      await expireDue(ctx);
      expect(await orderOf(shop, order.id)).toMatchObject({ status: times < 4 ? "unpaid" : "expired" });
      clock.advance(day);
    }
    expect(await sessionOf(shop, session.id)).toMatchObject({ status: "expired" });
    const [exception] = (await listExceptions(ctx, shop.tenant, { limit: 1, filters: {} })).rows;
    expect(exception).toMatchObject({ kind: "unmatched", order_id: order.id, transaction_id: null, detail: { reason: "outcome_unknown" } });
    await resolveException(ctx, shop.tenant, { exception_id: exception?.id ?? "", action: "accept", note: "found it there" });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900 });
    gateway.pay(session.id);
    const payment = await paymentOf(shop, session.id);
    if (payment !== null) await pollPayment(ctx, payment);
    expect(await orderOf(shop, order.id)).toMatchObject({
      status: "paid",
      amount_received_minor: 9900,
      flags: ["manually_verified", "paid_late"],
    });
  });

  /** An order whose payment had no report for days, with its exception. */
  const startForgotten = async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    clock.advance(601_000);
    await silentForDays(app, gateway, session.id);
    const caseOf = async () => (await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows.at(-1);
    const exception_id = (await caseOf())?.id ?? "";
    const ask = async () => {
      const payment = await paymentOf(shop, session.id);
      if (payment !== null) await pollPayment(ctx, payment);
    };
    return { shop, order, session, caseOf, exception_id, ask };
  };

  test("the exception of a payment that was paid after all is closed automatically", async () => {
    const { shop, order, session, caseOf, ask } = await startForgotten();
    gateway.pay(session.id);
    await ask();
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900 });
    expect(await caseOf()).toMatchObject({ status: "resolved", resolution: "released" });
  });

  test("money that the provider reported while a person decided isn't booked a second time", async () => {
    const { shop, order, session, exception_id, ask } = await startForgotten();
    gateway.pay(session.id);
    await ask();
    // As a person finds the case who had it open before.
    await runStatement(ctx.db, "update payment_exceptions set status = 'open', resolution = null where id = ?", exception_id);
    const accept = resolveException(ctx, shop.tenant, { exception_id, action: "accept", note: "found it there" });
    await expect(accept).rejects.toMatchObject({ code: "order_state_conflict" });
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_received_minor: 9900, flags: [] });
    expect(await resolveException(ctx, shop.tenant, { exception_id, action: "ignore" })).toMatchObject({ status: "resolved" });
  });

  test("money with an unknown outcome is only accepted for its own order: the provider may still report it", async () => {
    const { shop, exception_id } = await startForgotten();
    const other = await shop.order();
    const accept = resolveException(ctx, shop.tenant, { exception_id, action: "accept", order_id: other.order.id });
    await expect(accept).rejects.toMatchObject({ code: "parameter_conflict" });
  });

  test("an exception without money is ignored, and books nothing", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    clock.advance(601_000);
    await silentForDays(app, gateway, session.id);
    const [exception] = (await listExceptions(ctx, shop.tenant, { limit: 1, filters: {} })).rows;
    expect(await resolveException(ctx, shop.tenant, { exception_id: exception?.id ?? "", action: "ignore" })).toMatchObject({
      status: "resolved",
    });
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "expired", amount_received_minor: 0 });
  });

  test("a payment in progress is waited for, for thirty days", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    gateway.change(session.id, { state: "processing" });
    clock.advance(6 * minute);
    await pollDue(app);
    for (let days = 0; days < 29; days += 1, clock.advance(day)) {
      await pollDue(app);
      await expireDue(ctx);
    }
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
    gateway.pay(session.id);
    clock.advance(day);
    await pollDue(app);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
  });
});

test("several concurrent workers query each payment once", async () => {
  const shop = await open();
  const started = await Promise.all(Array.from({ length: 12 }, () => shop.started()));
  clock.advance(6 * minute);
  await Promise.all([pollDue(app), pollDue(app), pollDue(app)]);
  expect(started.map(({ session }) => pollsOf(session.id))).toEqual(started.map(() => 1));
});
