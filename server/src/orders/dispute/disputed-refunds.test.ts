import { describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { narrow } from "#platform/index.ts";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops, refusal } from "#test/support/gateways/scripted/disputed-shops.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { failRefund } from "../refund/fail-refund.ts";
import { listOrderRefunds } from "../refund/list-refunds.ts";
import { requestLeaseMs } from "../refund/provider/begin-refund.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx, clock } = app;
const { open, paidTwice, orderOf, disputesOf, casesOf, balanceOf, booksBalance } = disputedShops(app, gateway);
type Shop = Awaited<ReturnType<typeof open>>;

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
const refund = (shop: Shop, amount_minor?: number) =>
  refundOrder(ctx, shop.tenant, { order_id: shop.order_id, method: "gateway", ...(amount_minor === undefined ? {} : { amount_minor }) });
describe("a refund through the provider of a disputed payment", () => {
  test("is made while the provider only inquires, since that has taken nothing", async () => {
    const shop = await open();
    await shop.report({ at: 1, state: "inquiry" });
    expect(await refund(shop)).toMatchObject({ method: "gateway", status: "succeeded", amount_minor: 9_900 });
    await shop.report({ at: 2, state: "won" });
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 9_900, amount_disputed_minor: 0, flags: [] });
    expect(await balanceOf(shop)).toBe(0);
    await booksBalance();
  });

  test("isn't requested while a dispute is open, and what it left is once it was lost", async () => {
    const shop = await open();
    await shop.report({ at: 1, amount: yuan(6_000) });
    const [dispute] = await disputesOf(shop);
    const before = gateway.countOf("refund");
    expect(await refusal(refund(shop, 900))).toEqual({ code: "order_state_conflict", fields: { dispute_ids: [dispute?.id] } });
    expect(gateway.countOf("refund")).toBe(before);
    await shop.report({ at: 2, state: "lost", amount: yuan(6_000) });
    expect(await refusal(refund(shop, 4_000))).toMatchObject({ code: "refund_exceeds_received" });
    expect(await refund(shop)).toMatchObject({ status: "succeeded", amount_minor: 3_900 });
    await booksBalance();
  });

  test("doesn't affect the order's other payments", async () => {
    const { shop, second, held } = await paidTwice();
    await shop.send(gateway.callback(second, { report: { kind: "dispute", dispute: disputeOf(second, { at: 1 }) } }));
    expect(await orderOf(shop)).toMatchObject({ flags: expect.arrayContaining(["disputed"]), amount_disputed_minor: 9_900 });
    expect(await resolveException(ctx, shop.tenant, { exception_id: held, action: "refund" })).toMatchObject({ resolution: "refund" });
    expect(gateway.calls.at(-1)).toMatchObject({ verb: "refund" });
    await booksBalance();
  });
});

describe("a refund that its provider didn't get before its payment was disputed", () => {
  const day = 86_400_000;
  /** A refund that can't be requested yet, and whose payment is disputed since. */
  const waiting = async ({ amount_minor, disputed }: { amount_minor: number; disputed: number }) => {
    const shop = await open();
    gateway.fault("refund", { kind: "rate_limited", isBusy: true });
    const { id } = await refund(shop, amount_minor);
    await shop.report({ at: 1, amount: yuan(disputed) });
    const requests = () => gateway.calls.filter(({ verb, reference }) => verb === "refund" && reference === id).length;
    return { shop, id, requests, before: requests() };
  };
  const refundsOf = async ({ tenant, order_id }: Shop) =>
    (await listOrderRefunds(ctx, tenant, { order_id, limit: 20 })).rows.map(({ status, failure_code }) => [status, failure_code]);

  test("isn't requested while the dispute is open, and is as soon as it was won", async () => {
    const { shop, requests, before } = await waiting({ amount_minor: 9_900, disputed: 9_900 });
    for (let days = 0; days < 3; days += 1) {
      clock.advance(day);
      await pollDueRefunds(app);
    }
    expect([await refundsOf(shop), requests() - before]).toEqual([[["pending", null]], 0]);
    await shop.report({ at: 2, state: "won" });
    await pollDueRefunds(app);
    expect([await refundsOf(shop), requests() - before]).toEqual([[["succeeded", null]], 1]);
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 9_900, amount_refunding_minor: 0, amount_disputed_minor: 0 });
    expect(await balanceOf(shop)).toBe(0);
    await booksBalance();
  });

  test.each([
    { state: "opened", outcome: "pending" },
    { state: "lost", outcome: "disputed" },
  ] as const)("isn't requested by a repeat of its request either, whose process was lost: $state", async ({ state, outcome }) => {
    const shop = await open();
    const { project_id, livemode } = shop.tenant;
    const claim = { project_id, livemode, method: "POST", path: "/refunds", key: "k", fingerprint: "f", replayed: false, used: false };
    const steps = () => narrow(ctx, { claim: { ...claim } }, app.database);
    const ask = (by: typeof ctx) => refundOrder(by, shop.tenant, { order_id: shop.order_id });
    let isKilled = false;
    gateway.meanwhile = (verb) => {
      isKilled ||= verb === "refund";
      throw new GatewayError("unavailable", { code: "http_503", message: "The provider is down." });
    };
    const lost = steps();
    const dying: typeof ctx = {
      ...lost,
      transactUnclaimed: (work) => (isKilled ? Promise.reject(new Error("killed")) : lost.transactUnclaimed(work)),
    };
    await expect(ask(dying)).rejects.toThrow("killed");
    gateway.meanwhile = null;
    await shop.report({ at: 1, state });
    clock.advance(requestLeaseMs + 1_000);
    const before = gateway.countOf("refund");
    const repeated = ask(steps()).then(
      ({ status }) => status,
      ({ extras }) => extras.fields.gateway_code,
    );
    expect([await repeated, gateway.countOf("refund") - before]).toEqual([outcome, 0]);
    await booksBalance();
  });

  test("can be ended by a person if the dispute doesn't end", async () => {
    const { shop, id, requests, before } = await waiting({ amount_minor: 3_900, disputed: 6_000 });
    clock.advance(31 * day);
    await pollDueRefunds(app);
    expect((await casesOf(shop)).map(({ detail }) => detail["reason"]).toSorted()).toEqual(["disputed", "refund_unknown"]);
    const person = { ...ctx, actor: { kind: "person" as const, id: "usr_looked" } };
    await failRefund(person, shop.tenant, { refund_id: id, failure_code: "not_sent", note: "The provider doesn't have it." });
    await shop.report({ at: 2, state: "won" });
    await pollDueRefunds(app);
    expect([await refundsOf(shop), requests() - before]).toEqual([[["failed", "not_sent"]], 0]);
    expect(await balanceOf(shop)).toBe(9_900);
    await booksBalance();
  });

  test("fails if the dispute was lost and took its money, and people who may refund are notified", async () => {
    const { shop, requests, before } = await waiting({ amount_minor: 4_000, disputed: 6_000 });
    await shop.report({ at: 2, state: "lost", amount: yuan(6_000) });
    await pollDueRefunds(app);
    expect([await refundsOf(shop), requests() - before]).toEqual([[["failed", "disputed"]], 0]);
    expect(await orderOf(shop)).toMatchObject({ amount_refunding_minor: 0, amount_disputed_minor: 6_000 });
    const notices = await listNotices(ctx.db, "refund_failed");
    expect(notices.filter(({ recipient }) => recipient === shop.tenant.project_id)).toHaveLength(1);
    expect(await balanceOf(shop)).toBe(3_900);
    await booksBalance();
  });

  test("is requested if the dispute was lost and left its money", async () => {
    const { shop, requests, before } = await waiting({ amount_minor: 3_900, disputed: 6_000 });
    await shop.report({ at: 2, state: "lost", amount: yuan(6_000) });
    await pollDueRefunds(app);
    expect([await refundsOf(shop), requests() - before]).toEqual([[["succeeded", null]], 1]);
    expect(await balanceOf(shop)).toBe(0);
    await booksBalance();
  });
});
