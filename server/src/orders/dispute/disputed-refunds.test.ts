import { describe, expect, test } from "vitest";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops, refusal } from "#test/support/gateways/scripted/disputed-shops.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, paidTwice, orderOf, disputesOf, balanceOf, booksBalance } = disputedShops(app, gateway);
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
