import { describe, expect, test } from "vitest";
import { listEventsOf } from "#events/sql.ts";
import { type Claim, narrow } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;

const open = async (keys = ["tp_a"]): Promise<GatewayShop> => {
  const shop = await gatewayShop(app);
  for (const key of keys) await shop.account(key);
  return shop;
};
const ordered = async (keys?: string[]) => {
  const shop = await open(keys);
  return { shop, order: (await shop.order()).order };
};
const start = (shop: GatewayShop, order_id: string, { by = "testpay", on = ctx } = {}) =>
  startPayment(on, shop.tenant, { order_id, gateway: by });
const breakerOpen = (id: string) =>
  runStatement(ctx.db, "update gateway_credentials set breaker_until = app_now() + interval '1 minute' where id = ?", id);
const paymentOf = (shop: GatewayShop, id: string | undefined) => findGatewayPayment(ctx.db, shop.tenant, id ?? "");
const sessions = (shop: GatewayShop, id: string) => listSessionRows(ctx.db, shop.tenant, [id]);
const eventsOf = async (shop: GatewayShop, id: string) =>
  (await listEventsOf(ctx.db, shop.tenant, { object_id: id, after: null, limit: 100 })).map(({ event }) => event).toReversed();

describe("a payment through a gateway", () => {
  test("is created at the provider with the session's id as its reference, and reported once", async () => {
    const shop = await open();
    const { order } = await shop.order({ description: "Two pots\nof tea" });
    const { session, created } = await start(shop, order.id);
    const there = gateway.payments.get(session.id);
    expect(created).toBe(true);
    expect(there?.wanted).toMatchObject({
      amount: { amount_minor: 9900, currency: "CNY" },
      title: "Two pots of tea",
      metadata: { order_id: order.id },
    });
    expect(session).toMatchObject({
      status: "pending",
      gateway: "testpay",
      method_data: { type: "gateway", next_action: { type: "redirect" } },
    });
    const payment = await paymentOf(shop, session.id);
    expect(payment).toMatchObject({ status: "open", provider_id: there?.providerId, credential_id: session.account });
    expect(await start(shop, order.id)).toMatchObject({ session: { id: session.id }, created: false });
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
    expect(gateway.calls.filter(({ reference }) => reference === session.id)).toHaveLength(1);
  });

  test("that its provider refuses fails, and says why without the account's secret, whatever characters the provider uses", async () => {
    const { shop, order } = await ordered(["tp_quoted"]);
    gateway.fault("create", { kind: "declined", code: "secret of tp_quoted\u0000" });
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_error", extras: { fields: { gateway_code: "…\ufffd" } } });
    const [session] = await sessions(shop, order.id);
    const payment = await paymentOf(shop, session?.id);
    expect(payment).toMatchObject({ status: "done", failure_code: "…\ufffd", failure_message: "The provider says …\ufffd." });
  });

  test("is committed before its provider is called", async () => {
    const { shop, order } = await ordered();
    const seen: unknown[] = [];
    gateway.meanwhile = async (verb, reference) => {
      if (verb === "create") seen.push((await paymentOf(shop, reference))?.status);
    };
    await start(shop, order.id);
    gateway.meanwhile = null;
    expect(seen).toEqual(["creating"]);
  });

  test("is reported with the version that its order has by then", async () => {
    const { shop, order } = await ordered();
    const started = await start(shop, order.id);
    const [event] = await listEventsOf(ctx.db, shop.tenant, { object_id: order.id, after: null, limit: 1 });
    const { data } = JSON.parse(String(event?.body)) as { data: { order: { version: number } } };
    expect(data.order.version).toBe(started.order.version);
    expect((await findOrderRow(ctx.db, shop.tenant, order.id))?.version).toBe(started.order.version);
  });

  test("is one payment if it is requested ten times concurrently", async () => {
    const { shop, order } = await ordered();
    const started = await Promise.all(Array.from({ length: 10 }, () => start(shop, order.id)));
    expect(new Set(started.map(({ session }) => session.id)).size).toBe(1);
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
  });

  test("is returned again by its Idempotency-Key, and not created again", async () => {
    const { shop, order } = await ordered();
    const { project_id, livemode } = shop.tenant;
    const request = { project_id, livemode, method: "POST", path: "/pay", key: "k-1", fingerprint: "f" };
    const claim = (): Claim => ({ ...request, replayed: false, used: false });
    const first = await start(shop, order.id, { on: narrow(ctx, { claim: claim() }, app.database) });
    const before = gateway.calls.length;
    const again = narrow(ctx, { claim: claim() }, app.database);
    expect(JSON.stringify(await start(shop, order.id, { on: again }))).toBe(JSON.stringify(first));
    expect(again.claim?.replayed).toBe(true);
    expect(gateway.calls).toHaveLength(before);
  });

  test("passes to the next account if the first one definitely took nothing, and reports that", async () => {
    const { shop, order } = await ordered(["tp_first", "tp_second"]);
    gateway.fault("create", { kind: "auth", code: "key_revoked" });
    const { session } = await start(shop, order.id);
    expect(gateway.payments.get(session.id)?.key).toBe("tp_second");
    expect(await sessions(shop, order.id)).toMatchObject([{ status: "pending" }, { status: "failed", failure_code: "key_revoked" }]);
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.failed", "payment.session.created"]);
  });

  test.each([
    { kind: "declined", status: 502, code: "gateway_error" },
    { kind: "invalid", status: 502, code: "gateway_error" },
    { kind: "conflict", status: 502, code: "gateway_error" },
    { kind: "auth", status: 502, code: "gateway_error" },
    { kind: "unavailable", status: 503, code: "service_unavailable" },
    { kind: "rate_limited", status: 503, code: "service_unavailable" },
  ] as const)("that the only account answers with $kind is refused with $code, and its session fails", async ({ kind, status, code }) => {
    const { shop, order } = await ordered();
    gateway.fault("create", { kind });
    await expect(start(shop, order.id)).rejects.toMatchObject({ status, code });
    expect(await sessions(shop, order.id)).toMatchObject([{ status: "failed", failure_code: kind }]);
    const again = await start(shop, order.id);
    expect(again).toMatchObject({ created: true, session: { status: "pending" } });
  });

  test("skips an account whose breaker is open, without calling it", async () => {
    const shop = await gatewayShop(app);
    const down = await shop.account("tp_down");
    await shop.account("tp_up");
    await breakerOpen(down);
    const { order } = await shop.order();
    const { session } = await start(shop, order.id);
    expect(gateway.payments.get(session.id)?.key).toBe("tp_up");
    expect(gateway.calls.filter(({ reference }) => reference === session.id)).toMatchObject([{ key: "tp_up" }]);
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
  });

  test("whose only account has its breaker open is refused for now, and opens no session", async () => {
    const shop = await gatewayShop(app);
    await breakerOpen(await shop.account("tp_down"));
    const { order } = await shop.order();
    await expect(start(shop, order.id)).rejects.toMatchObject({ status: 503, code: "service_unavailable" });
    expect(await sessions(shop, order.id)).toEqual([]);
  });

  test("without an account is refused", async () => {
    const shop = await gatewayShop(app);
    const { order } = await shop.order();
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_not_configured" });
    expect(await sessions(shop, order.id)).toEqual([]);
  });
});

describe("a lost response", () => {
  test.each([
    { name: "after the payment was created", after: true },
    { name: "before it was", after: false },
  ])("$name leaves one payment: the same request again finds it", async ({ after }) => {
    const { shop, order } = await ordered();
    gateway.fault("create", { kind: "unknown_outcome", after });
    await expect(start(shop, order.id)).rejects.toMatchObject({ status: 504, code: "gateway_timeout" });
    const [lost] = await sessions(shop, order.id);
    expect(await paymentOf(shop, lost?.id)).toMatchObject({ status: "unknown" });
    expect(await start(shop, order.id)).toMatchObject({ session: { id: lost?.id, status: "pending" } });
    expect([...gateway.payments.values()].filter(({ wanted }) => wanted.metadata.order_id === order.id)).toHaveLength(1);
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
  });

  test("prevents another attempt for the order while the outcome is unknown", async () => {
    const { shop, order } = await ordered();
    gateway.fault("create", { kind: "unknown_outcome", after: true });
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
    gateway.fault("close", { kind: "unknown_outcome" });
    await expect(start(shop, order.id, { by: "wechatpay" })).rejects.toMatchObject({ code: "session_active" });
    expect(await sessions(shop, order.id)).toMatchObject([{ gateway: "testpay", status: "pending" }]);
  });

  test("of a payment that the provider never got fails the session once it says so", async () => {
    const { shop, order } = await ordered();
    gateway.fault("create", { kind: "unknown_outcome" });
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
    app.clock.advance(301_000);
    await pollDue(app);
    expect(await sessions(shop, order.id)).toMatchObject([{ status: "failed", failure_code: "not_created" }]);
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.failed"]);
  });

  test("of a payment that the buyer still paid settles the order", async () => {
    const { shop, order } = await ordered();
    gateway.fault("create", { kind: "unknown_outcome", after: true });
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
    const [lost] = await sessions(shop, order.id);
    gateway.pay(lost?.id ?? "");
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "order_already_paid" });
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid" });
  });
});

describe("a killed process", () => {
  test("between the provider and the commit leaves a payment that the buyer's next tap finds", async () => {
    const { shop, order } = await ordered();
    const killed = killedAfterCreate();
    await expect(start(shop, order.id, { on: killed })).rejects.toThrow("killed");
    const [session] = await sessions(shop, order.id);
    expect(await paymentOf(shop, session?.id)).toMatchObject({ status: "creating" });
    expect(gateway.payments.has(session?.id ?? "")).toBe(true);
    expect(await start(shop, order.id)).toMatchObject({ session: { id: session?.id, method_data: { next_action: { type: "redirect" } } } });
    expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
  });

  test("whose payment was paid in the meantime is corrected by the queries", async () => {
    const { shop, order } = await ordered();
    await expect(start(shop, order.id, { on: killedAfterCreate() })).rejects.toThrow("killed");
    const [session] = await sessions(shop, order.id);
    gateway.pay(session?.id ?? "");
    app.clock.advance(301_000);
    await pollDue(app);
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900 });
  });
});

/** A context whose process dies once the provider was asked. */
function killedAfterCreate(): typeof ctx {
  const before = gateway.countOf("create");
  const transactUnclaimed: typeof ctx.transactUnclaimed = (work) => {
    if (gateway.countOf("create") > before) throw new Error("killed");
    return ctx.transactUnclaimed(work);
  };
  return { ...ctx, transactUnclaimed };
}

describe("a buyer who chooses another method", () => {
  test("has the payment closed at its provider first", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const other = await start(shop, order.id, { by: "wechatpay" });
    expect(gateway.payments.get(session.id)).toMatchObject({ state: "canceled" });
    expect(await sessions(shop, order.id)).toMatchObject([
      { id: other.session.id, status: "pending" },
      { id: session.id, status: "canceled" },
    ]);
    const back = await start(shop, order.id);
    expect(back.session.id).not.toBe(session.id);
    expect(await sessions(shop, order.id)).toMatchObject([
      { gateway: "testpay", status: "pending" },
      { gateway: "wechatpay", status: "canceled" },
      {},
    ]);
  });

  test("and has already paid sees that: the order is paid", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    await expect(start(shop, order.id, { by: "wechatpay" })).rejects.toMatchObject({ code: "order_already_paid" });
    expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid" });
  });

  test.each(["unknown_outcome", "unavailable"] as const)("stays where they are while the provider answers %s", async (kind) => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.fault("close", { kind });
    await expect(start(shop, order.id, { by: "wechatpay" })).rejects.toMatchObject({ code: "session_active" });
    expect(await sessions(shop, order.id)).toMatchObject([{ id: session.id, status: "pending" }]);
  });
});

test("an order is canceled once its payment is closed at the provider, and not while that is unknown", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.fault("close", { kind: "unknown_outcome" });
  await expect(cancelOrder(ctx, shop.tenant, { order_id: order.id })).rejects.toMatchObject({ code: "session_active" });
  const canceled = await cancelOrder(ctx, shop.tenant, { order_id: order.id });
  expect(canceled).toMatchObject({ order: { status: "canceled" }, session: { status: "canceled" } });
  expect(gateway.payments.get(session.id)).toMatchObject({ state: "canceled" });
});

test("a payment whose order is paid by another method is closed at its provider", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  const second = await shop.started();
  await simulatePayment(ctx, shop.tenant, { order_id: second.order.id, outcome: "expire" });
  await pollDue(app);
  expect(gateway.payments.get(second.session.id)).toMatchObject({ state: "canceled" });
  expect(await paymentOf(shop, second.session.id)).toMatchObject({ status: "done" });
  expect(gateway.payments.get(session.id)).toMatchObject({ state: "canceled" });
  expect(await paymentOf(shop, session.id)).toMatchObject({ status: "done" });
});
