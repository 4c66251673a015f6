import { beforeEach, describe, expect, test } from "vitest";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { failRefund, type RefundFailure } from "./fail-refund.ts";
import { refundOrder } from "./refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const person = { ...ctx, actor: { kind: "person" as const, id: "usr_looked" } };
const dayMs = 86_400_000;

let shop: RefundShop;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const booksBalance = booksBalanceOf(app);
const fail = (refund_id: string, more: Partial<RefundFailure> = {}, by = person) =>
  failRefund(by, shop.tenant, { refund_id, failure_code: "not_sent", note: "it is not in the provider's list", ...more });
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    ({ code }) => code,
  );
/** Days in which the provider answers nothing about a refund. */
const silence = async (id: string, days = 6) => {
  for (let day = 0; day < days; day += 1, clock.advance(dayMs)) {
    gateway.fault("query_refund", { kind: "unavailable", of: id });
    await pollDueRefunds(app);
  }
};
/** A refund whose answer was lost, and that its provider never says anything of. `after`: the provider has made it. */
const unknown = async ({ after = false } = {}) => {
  const paid = await shop.paid();
  gateway.fault("refund", { kind: "unknown_outcome", after });
  const { id } = await refundOrder(ctx, shop.tenant, { order_id: paid.order.id, amount_minor: 900 });
  clock.advance(300_000);
  return { ...paid, id };
};

describe("a refund whose outcome its provider never reports", () => {
  test("is ended by a person who checked there; it isn't requested again, its amount is free, and the audit log has their words", async () => {
    const { order, id } = await unknown();
    await silence(id);
    const callCount = gateway.calls.filter(({ reference }) => reference === id).length;
    expect(await fail(id)).toMatchObject({ status: "failed", failure_code: "not_sent", failure_note: "it is not in the provider's list" });
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 0 });
    expect(await shop.cases()).toMatchObject([{ status: "resolved", resolution: "released", resolved_by: "usr_looked" }]);
    expect((await shop.events(order.id)).slice(-2).sort()).toEqual(["payment.exception", "refund.failed"]);
    const audits = await runStatement<{ actor_id: string; detail: object }>(
      ctx.db,
      "select actor_id, detail from audit_log where project_id = ? and action = 'refund.failed'",
      shop.tenant.project_id,
    );
    expect(audits).toMatchObject([{ actor_id: "usr_looked", detail: { note: "it is not in the provider's list" } }]);
    clock.advance(40 * dayMs);
    await pollDueRefunds(app);
    expect(gateway.calls.filter(({ reference }) => reference === id)).toHaveLength(callCount);
    expect(await refundOrder(ctx, shop.tenant, { order_id: order.id, method: "manual" })).toMatchObject({ amount_minor: 9_900 });
    await booksBalance();
  });

  test("that was made after all is recorded when the provider reports it, once", async () => {
    const { order, id } = await unknown({ after: true });
    await silence(id);
    await fail(id);
    const { headers, payload } = gateway.refundCallback(id);
    for (let time = 0; time < 2; time += 1)
      await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
    expect(await shop.refunds(order.id)).toMatchObject([
      { status: "succeeded", amount_minor: 900 },
      { id, status: "failed" },
    ]);
    await booksBalance();
  });

  test("is also ended if the buyer was to claim it", async () => {
    gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
    const { order } = await shop.paid();
    const { id } = await refundOrder(ctx, shop.tenant, { order_id: order.id });
    clock.advance(300_000);
    await silence(id, 7);
    expect(await fail(id)).toMatchObject({ status: "failed", next_action: null });
    expect(await shop.sums(order.id)).toMatchObject({ refunding: 0 });
  });

  test("of held money reopens its exception", async () => {
    await shop.paid({}, { paid: { amount_minor: 10_900, currency: "CNY" } });
    const [held] = await shop.cases();
    gateway.fault("refund", { kind: "unknown_outcome" });
    await resolveException(ctx, shop.tenant, { exception_id: held?.id ?? "", action: "refund" });
    const [refund] = await runStatement<{ id: string }>(ctx.db, "select id from refunds where exception_id = ?", held?.id ?? "");
    clock.advance(300_000);
    await silence(refund?.id ?? "");
    await fail(refund?.id ?? "");
    expect((await shop.cases()).find(({ id }) => id === held?.id)).toMatchObject({ status: "open" });
    await booksBalance();
  });

  test("has its exception closed once the provider reports it after all", async () => {
    const { order, id } = await unknown({ after: true });
    await silence(id);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id, status: "succeeded" }]);
    expect(await shop.cases()).toMatchObject([{ status: "resolved", resolution: "released" }]);
  });
});

describe("no one ends a refund that a provider makes", () => {
  test("before a person was notified that it doesn't respond", async () => {
    const { id } = await unknown();
    await silence(id, 3);
    expect(await refused(fail(id))).toBe("order_state_conflict");
  });

  test("once it responds again that the refund is in progress", async () => {
    const { id } = await unknown({ after: true });
    await silence(id);
    gateway.changeRefund(id, { state: "pending" });
    await pollDueRefunds(app);
    expect(await refused(fail(id))).toBe("order_state_conflict");
    clock.advance(31 * dayMs);
    await pollDueRefunds(app);
    expect(await fail(id)).toMatchObject({ status: "failed" });
  });

  test("without a description of what they saw there", async () => {
    const { id } = await unknown();
    await silence(id);
    for (const note of [null, " "]) expect(await refused(fail(id, { note }))).toBe("parameter_invalid");
  });

  test("by a program's key", async () => {
    const { id } = await unknown();
    await silence(id);
    expect(await refused(fail(id, {}, { ...ctx, actor: { kind: "api_key", id: "key_1" } } as unknown as typeof person))).toBe(
      "session_required",
    );
  });

  test("while the provider is being queried about it", async () => {
    const { order, id } = await unknown();
    await silence(id);
    const seen: (string | null)[] = [];
    gateway.meanwhile = async (verb) => void (verb === "query_refund" && seen.push(await refused(fail(id))));
    await pollDueRefunds(app);
    gateway.meanwhile = null;
    expect(seen).toEqual(["order_state_conflict"]);
    expect(await shop.refunds(order.id)).toMatchObject([{ id, status: "succeeded" }]);
  });

  test("once it succeeded, or failed", async () => {
    const { order } = await shop.paid();
    const made = await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 100 });
    expect(await refused(fail(made.id))).toBe("order_state_conflict");
    const { id } = await unknown();
    await silence(id);
    await fail(id);
    expect(await refused(fail(id))).toBe("order_state_conflict");
  });
});
