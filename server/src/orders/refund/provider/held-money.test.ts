import { beforeEach, describe, expect, test } from "vitest";
import { type Resolution, resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { reversePayment } from "#reconciliation/reverse/reverse-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { variantsOf } from "#test/support/run/short-form.ts";
import { cancelOrder } from "../../order/cancel-order.ts";
import { simulatePayment } from "../../settle/simulate-payment.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

let shop: RefundShop;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const booksBalance = booksBalanceOf(app);
const resolve = (given: Partial<Resolution> & { exception_id: string }) =>
  resolveException(ctx, shop.tenant, { action: "refund", ...given });
/** An order for which money came that an exception holds. */
const cases = {
  overpaid: () => shop.paid({}, { paid: yuan(10_900) }),
  underpaid: () => shop.paid({}, { paid: yuan(9_000) }),
  "another currency": () => shop.paid({}, { paid: { amount_minor: 9_900, currency: "EUR" } }),
  async late() {
    const started = await shop.started();
    gateway.fault("close", { kind: "not_found" });
    await cancelOrder(ctx, shop.tenant, { order_id: started.order.id });
    gateway.pay(started.session.id);
    await shop.ask(started.session);
    return started;
  },
  async "another order's"() {
    const started = await shop.paid();
    await reversePayment(ctx, shop.tenant, { order_id: started.order.id, cause: "other_order", note: "slip" });
    return started;
  },
} as const;
const kinds = Object.keys(cases) as (keyof typeof cases)[];
const kindsOf = (testCase: number) => variantsOf(kinds, testCase);
const openCase = async (kind: keyof typeof cases) => {
  const { order, session } = await cases[kind]();
  const [held] = (await shop.cases()).filter(({ status }) => status === "open");
  if (held === undefined) throw new Error("no case was opened");
  return { order, session, held };
};

describe("money of a payment through a provider that an exception holds", () => {
  test.each(kindsOf(0))("(%s) is refunded by the provider, and leaves suspense once it is", async (kind) => {
    const { session, held } = await openCase(kind);
    expect(await resolve({ exception_id: held.id, note: "back it goes" })).toMatchObject({ status: "resolved", resolution: "refund" });
    const [made] = [...gateway.refunds.values()].filter(({ wanted }) => wanted.reference === session.id);
    expect(made?.wanted.amount).toEqual({ amount_minor: held.amount_minor, currency: held.currency });
    await booksBalance();
  });

  test.each(kindsOf(1))("(%s) is still held while the provider's refund is in progress, and no longer after that", async (kind) => {
    gateway.refundsBegin = { state: "pending" };
    const { session, held } = await openCase(kind);
    expect(await resolve({ exception_id: held.id })).toMatchObject({ status: "resolved", resolution: "refund" });
    await booksBalance();
    await expect(resolve({ exception_id: held.id, action: "ignore" })).rejects.toMatchObject({ code: "review_exists" });
    const [made] = [...gateway.refunds.values()].filter(({ wanted }) => wanted.reference === session.id);
    gateway.changeRefund(made?.wanted.refundReference ?? "", { state: "succeeded" });
    clock.advance(300_000);
    await pollDueRefunds(app);
    await booksBalance();
  });

  test.each(kindsOf(2))("(%s) that the provider refuses to refund is the same open exception as before", async (kind) => {
    const { order, held } = await openCase(kind);
    const before = await shop.sums(order.id);
    gateway.fault("refund", { kind: "declined", code: "no_balance" });
    await expect(resolve({ exception_id: held.id })).rejects.toMatchObject({ code: "gateway_error" });
    expect((await shop.cases()).find(({ id }) => id === held.id)).toMatchObject({ status: "open", kind: held.kind, resolution: null });
    expect(await shop.sums(order.id)).toEqual(before);
    await booksBalance();
    expect(await resolve({ exception_id: held.id })).toMatchObject({ resolution: "refund" });
    await booksBalance();
  });

  test.each(kindsOf(3))("(%s) whose refund fails after it succeeded is held again", async (kind) => {
    const { order, session, held } = await openCase(kind);
    const before = await shop.sums(order.id);
    await resolve({ exception_id: held.id });
    const [made] = [...gateway.refunds.values()].filter(({ wanted }) => wanted.reference === session.id);
    gateway.changeRefund(made?.wanted.refundReference ?? "", { state: "failed" });
    await app
      .api()
      .call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.refundCallback(made?.wanted.refundReference ?? ""));
    expect((await shop.cases()).find(({ id }) => id === held.id)).toMatchObject({ status: "open", kind: held.kind });
    expect(await shop.sums(order.id)).toEqual(before);
    await booksBalance();
  });

  test("can be refunded manually, if a person says so", async () => {
    const { held } = await openCase("overpaid");
    const before = gateway.countOf("refund");
    await resolve({ exception_id: held.id, refund: { method: "manual", channel: "cash" } });
    expect(gateway.countOf("refund")).toBe(before);
    await booksBalance();
  });

  test("with a note on how it was refunded isn't refunded automatically", async () => {
    const { held } = await openCase("overpaid");
    await expect(resolve({ exception_id: held.id, refund: { channel: "cash" } })).rejects.toMatchObject({ code: "parameter_conflict" });
    expect((await shop.cases())[0]).toMatchObject({ status: "open" });
  });

  test("(a partial payment) is requested from the buyer again while it is refunded, and pays nothing twice", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order, held } = await openCase("underpaid");
    await resolve({ exception_id: held.id });
    expect(await shop.sums(order.id)).toMatchObject({ status: "unpaid", held: 0 });
    await simulatePayment(ctx, shop.tenant, { order_id: order.id });
    expect(await shop.sums(order.id)).toMatchObject({ status: "paid", received: 9_900 });
    await booksBalance();
  });

  test("is refunded once by two concurrent people", async () => {
    const { held } = await openCase("overpaid");
    const before = gateway.countOf("refund");
    const results = await Promise.all(
      [0, 1].map(() =>
        resolve({ exception_id: held.id }).then(
          () => null,
          ({ code }) => code,
        ),
      ),
    );
    expect(results.sort()).toEqual(["review_exists", null].sort());
    expect(gateway.countOf("refund") - before).toBe(1);
    await booksBalance();
  });
});

test("money on a personal code that an exception holds is only refunded manually", async () => {
  const { order } = await shop.order();
  await simulatePayment(ctx, shop.tenant, { order_id: order.id, outcome: "overpaid" });
  const [held] = await shop.cases();
  await expect(resolve({ exception_id: held?.id ?? "", refund: { method: "gateway" } })).rejects.toMatchObject({
    code: "parameter_conflict",
  });
  expect(await resolve({ exception_id: held?.id ?? "" })).toMatchObject({ resolution: "refund" });
  await booksBalance();
});
