import { beforeEach, describe, expect, test } from "vitest";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { type RefundInput, refundOrder } from "../refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;

let shop: RefundShop;
let made = 0;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
const send = ({ headers, payload }: SentCallback, to = shop.credential) =>
  app.api().call("POST", `/api/payments/testpay/webhook/${to}`, { headers, payload });
const refund = (order_id: string, input: Partial<RefundInput> = {}) => refundOrder(ctx, shop.tenant, { order_id, ...input });
const booksBalance = booksBalanceOf(app);
/** A refund that someone makes at the provider. */
const refundAtProvider = (session: { id: string }, amountMinor: number, refundReference?: string) =>
  gateway.refundAtProvider(session.id, {
    id: `rf_there_${(made += 1)}`,
    amountMinor,
    ...(refundReference === undefined ? {} : { refundReference }),
  });

describe("a callback that reports a refund", () => {
  test("ends it, once, whichever of the payment's numbers it contains", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order, session } = await shop.paid();
    const one = await refund(order.id, { amount_minor: 900 });
    gateway.changeRefund(one.id, { state: "succeeded" });
    const before = gateway.countOf("query_refund");
    expect(await send(gateway.refundCallback(one.id, { payment: { captureId: `cap_${session.id}` } }))).toMatchObject({ status: 200 });
    await send(gateway.refundCallback(one.id));
    await send(gateway.refundCallback(one.id));
    expect(await shop.refunds(order.id)).toMatchObject([{ id: one.id, status: "succeeded" }]);
    expect(await shop.moved(order.id)).toEqual([-900]);
    expect(gateway.countOf("query_refund"), "told in full, it is not asked about").toBe(before);
    await booksBalance();
  });

  test("that a refund failed after it had succeeded books its money back, and says so", async () => {
    const { order } = await shop.paid();
    const one = await refund(order.id, { amount_minor: 900 });
    gateway.changeRefund(one.id, { state: "failed", failure: { code: "account_closed", message: "The buyer's account is closed." } });
    await send(gateway.refundCallback(one.id));
    expect(await shop.refunds(order.id)).toMatchObject([
      { status: "failed", failure_code: "account_closed", failure_note: "The buyer's account is closed." },
    ]);
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 0 });
    expect(await shop.moved(order.id)).toEqual([-900, 900]);
    expect((await shop.events(order.id)).slice(-2).sort()).toEqual(["refund.failed", "transaction.completed"]);
    const notices = await listNotices(ctx.db, "refund_failed");
    expect(notices.filter(({ recipient }) => recipient === shop.tenant.project_id)).toHaveLength(1);
    expect((await refund(order.id)).amount_minor).toBe(9_900);
    await booksBalance();
  });

  test("that is late moves nothing back", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const one = await refund(order.id);
    const earlier = gateway.refundCallback(one.id);
    gateway.changeRefund(one.id, { state: "succeeded" });
    const middle = gateway.refundCallback(one.id);
    await send(middle);
    await send(earlier);
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded" }]);
    gateway.changeRefund(one.id, { state: "failed" });
    await send(gateway.refundCallback(one.id));
    await send({ ...gateway.refundCallback(one.id, { refund: { ...gateway.changeRefund(one.id, {}), state: "succeeded" } }) });
    expect(await shop.refunds(order.id), "the provider says that it failed").toMatchObject([{ status: "failed" }]);
    await booksBalance();
  });

  test("with another amount isn't accepted: the provider is queried", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const one = await refund(order.id, { amount_minor: 900 });
    const lie = { ...gateway.changeRefund(one.id, {}), state: "succeeded" as const, amount: yuan(9_000) };
    await send(gateway.refundCallback(one.id, { refund: lie }));
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "pending", amount_minor: 900 }]);
  });
});

describe("a forged callback of a refund changes nothing", () => {
  test.each<{ name: string; forge: (refundId: string) => Promise<{ callback: SentCallback; to?: string }> }>([
    { name: "with another's signature", forge: async (id) => ({ callback: gateway.refundCallback(id, { secret: "guessed" }) }) },
    {
      name: "whose body was changed",
      forge: async (id) => {
        const real = gateway.refundCallback(id);
        return { callback: { ...real, payload: real.payload.replace("pending", "succeeded") } };
      },
    },
    {
      name: "without a signature",
      forge: async (id) => ({ callback: { headers: { "content-type": "application/json" }, payload: gateway.refundCallback(id).payload } }),
    },
  ])("$name", async ({ forge }) => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const one = await refund(order.id);
    const { callback } = await forge(one.id);
    expect((await send(callback)).status).toBe(401);
    expect(await shop.refunds(order.id)).toEqual([one]);
  });

  test("that another account of the same project signs for itself", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const one = await refund(order.id);
    const other = await shop.account("tp_beside");
    const lie = { ...gateway.changeRefund(one.id, {}), state: "succeeded" as const };
    expect((await send(gateway.refundCallback(one.id, { refund: lie, secret: "secret of tp_beside" }), other)).status).toBe(200);
    expect(await shop.refunds(order.id)).toEqual([one]);
  });

  test("that another account of the provider signs for itself", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const one = await refund(order.id);
    const other = await refundShop(app, gateway);
    const { session } = await other.paid();
    const key = gateway.change(session.id, {}).key;
    const lie = { ...gateway.changeRefund(one.id, {}), state: "succeeded" as const };
    await send(gateway.refundCallback(one.id, { refund: lie, secret: `secret of ${key}` }), other.credential);
    expect(await shop.refunds(order.id)).toEqual([one]);
  });
});

describe("a refund that someone made at the provider itself", () => {
  test("is recorded once, with the provider's number, and counts", async () => {
    const { order, session } = await shop.paid();
    const id = refundAtProvider(session, 1_200);
    expect(await send(gateway.refundCallback(id))).toMatchObject({ status: 200 });
    await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toMatchObject([
      { method: "gateway", status: "succeeded", amount_minor: 1_200, gateway_refund_id: `re_${id}` },
    ]);
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 1_200 });
    expect(await shop.moved(order.id)).toEqual([-1_200]);
    gateway.changeRefund(id, { state: "failed" });
    await send(gateway.refundCallback(id));
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0 });
    expect(await shop.cases()).toEqual([]);
    await booksBalance();
  });

  test("under a reference like ours that is unknown here is recorded too", async () => {
    const { order, session } = await shop.paid();
    await send(gateway.refundCallback(refundAtProvider(session, 700, ctx.id("rf"))));
    expect(await shop.refunds(order.id)).toMatchObject([{ amount_minor: 700, status: "succeeded" }]);
  });

  test("and that the provider no longer has doesn't count", async () => {
    const { order, session } = await shop.paid();
    const id = refundAtProvider(session, 700);
    const callback = gateway.refundCallback(id);
    gateway.refunds.delete(id);
    await send(callback);
    expect(await shop.refunds(order.id)).toEqual([]);
  });

  test.each<{ name: string; before: (orderId: string) => Promise<unknown>; amount: number }>([
    { name: "is more than is left", before: (id) => refund(id, { amount_minor: 9_000 }), amount: 1_000 },
    { name: "may be one that was recorded by hand", before: (id) => refund(id, { method: "manual", amount_minor: 700 }), amount: 700 },
  ])("is left to a person if it $name", async ({ before, amount }) => {
    const { order, session } = await shop.paid();
    await before(order.id);
    const sums = await shop.sums(order.id);
    const id = refundAtProvider(session, amount);
    await send(gateway.refundCallback(id));
    await send(gateway.refundCallback(id));
    const cases = await shop.cases();
    expect(cases).toMatchObject([
      { kind: "mismatch", amount_minor: amount, transaction_id: null, external_id: `re_${id}`, detail: { reason: "refunded_elsewhere" } },
    ]);
    expect(await shop.sums(order.id)).toEqual(sums);
    const accept = resolveException(ctx, shop.tenant, { exception_id: cases[0]?.id ?? "", action: "accept" });
    await expect(accept).rejects.toMatchObject({ code: "order_state_conflict" });
    await resolveException(ctx, shop.tenant, { exception_id: cases[0]?.id ?? "", action: "ignore", note: "seen" });
    await booksBalance();
  });

  test("that was recorded manually under the provider's number is recognized", async () => {
    const { order, session } = await shop.paid();
    const id = refundAtProvider(session, 700);
    await refund(order.id, { method: "manual", amount_minor: 700, external_transaction_id: `re_${id}` });
    await send(gateway.refundCallback(id));
    expect([await shop.refunds(order.id), await shop.cases()]).toMatchObject([[{ method: "manual" }], []]);
  });

  test("and that only the payment's sum shows is left to a person, until a callback identifies it", async () => {
    const { order, session } = await shop.paid();
    gateway.change(session.id, { refunded: yuan(1_200) });
    await shop.ask(session);
    await shop.ask(session);
    expect(await shop.cases()).toMatchObject([
      { status: "open", kind: "mismatch", amount_minor: 1_200, detail: { reason: "refunded_elsewhere" } },
    ]);
    await send(gateway.refundCallback(refundAtProvider(session, 1_200)));
    expect(await shop.cases()).toMatchObject([{ status: "resolved", resolution: "released" }]);
    await shop.ask(session);
    expect(await shop.cases()).toHaveLength(1);
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 1_200 });
    await booksBalance();
  });
});

describe("the sum that a provider reports as refunded", () => {
  test("is no stranger's while our own refunds explain it", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order, session } = await shop.paid();
    await refund(order.id, { amount_minor: 900 });
    gateway.refundsBegin = {};
    await refund(order.id, { amount_minor: 100 });
    gateway.change(session.id, { refunded: yuan(1_000) });
    await shop.ask(session);
    expect(await shop.cases()).toEqual([]);
  });

  test("causes an immediate query about an open refund", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order, session } = await shop.paid();
    const one = await refund(order.id, { amount_minor: 900 });
    gateway.changeRefund(one.id, { state: "succeeded" });
    gateway.change(session.id, { refunded: yuan(900) });
    await shop.ask(session);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded" }]);
  });

  test("that is less than is booked causes a query which refund failed", async () => {
    const { order, session } = await shop.paid();
    const [one, other] = [await refund(order.id, { amount_minor: 900 }), await refund(order.id, { amount_minor: 100 })];
    gateway.changeRefund(one.id, { state: "failed" });
    gateway.change(session.id, { refunded: yuan(100) });
    await shop.ask(session);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([
      { id: other.id, status: "succeeded" },
      { id: one.id, status: "failed" },
    ]);
    clock.advance(24 * 3_600_000);
    const pollsOf = () => gateway.calls.filter(({ verb, reference }) => verb === "query_refund" && reference === other.id).length;
    const polls = pollsOf();
    await pollDueRefunds(app);
    expect(pollsOf(), "the other one is left alone again").toBe(polls);
    await booksBalance();
  });
});

test("a callback of a refund whose payment is unknown changes nothing", async () => {
  const { order, session } = await shop.paid();
  const id = refundAtProvider(session, 700);
  const callback = gateway.refundCallback(id, { payment: { reference: ctx.id("ps"), providerId: null } });
  await send(callback);
  const before = await fingerprintDatabase(ctx.db);
  expect(await send(callback)).toMatchObject({ status: 200 });
  expect(await fingerprintDatabase(ctx.db)).toEqual(before);
  expect(await shop.refunds(order.id)).toEqual([]);
});
