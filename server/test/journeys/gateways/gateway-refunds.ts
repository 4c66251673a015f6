import { describe, expect, test } from "vitest";
import { gateways } from "#app/gateways.ts";
import type { SimulatedRefundOutcome } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { pollPayment } from "#orders/gateway/poll-payment.ts";
import { auditBooks, findRefund, refundOrder } from "#orders/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { drawCases } from "#test/support/gateways/simulated/draw-cases.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const slugs = gateways.map(({ manifest }) => manifest.method.gateway);
/** Decides each refund immediately and finally. */
const final = ["alipay_merchant"];
/** A refund that was returned after it was claimed isn't reported: only the merchant's own server shows it. */
const silent = ["btcpay"];

const made = new Map<string, number>();
const orderOf = (shop: SimulatedShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const refundOf = (shop: SimulatedShop, id: string) => findRefund(ctx, shop.tenant, id);

/** Posts what the provider has sent to this shop since then, as it arrives, and runs due queries to the provider. */
async function receive(shop: SimulatedShop, reference: string, from: number): Promise<void> {
  for (const callback of shop.provider.sent.slice(from)) if (callback.url.includes(shop.credential.id)) await post(app, callback);
  const payment = await findGatewayPayment(ctx.db, shop.tenant, reference);
  if (payment !== null) await pollPayment(ctx, payment);
  app.clock.advance(3_600_000);
  await pollDueRefunds(app);
}

async function paidShop(slug: string) {
  const provider = of(slug);
  const count = (made.get(slug) ?? 0) + 1;
  made.set(slug, count);
  const shop = await simulatedShop(app, { provider, account: `shop ${count}` });
  const { order, session } = await shop.started();
  await provider.enter((world) => provider.simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: provider.amount.amount_minor });
  const decide = async (refundReference: string, outcome: SimulatedRefundOutcome) => {
    const before = provider.sent.length;
    await provider.enter((world) => provider.simulator.simulateRefund(world, { refundReference, outcome }));
    await receive(shop, session.id, before);
  };
  return {
    provider,
    shop,
    order,
    session,
    decide,
    refund: (amount_minor: number) => refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor }),
  };
}

function inParts(slug: string): void {
  test("a part of a payment is refunded, and then the rest, and the provider has the same record", async () => {
    const { shop, order, refund, decide } = await paidShop(slug);
    const part = await refund(30_000);
    expect(["pending", "requires_action", "succeeded"]).toContain(part.status);
    if (part.status === "requires_action")
      expect(part.next_action).toMatchObject({ type: "redirect", url: expect.stringMatching(/^https:/) });
    if (part.status !== "succeeded") await decide(part.id, "succeeded");
    expect(await refundOf(shop, part.id)).toMatchObject({ status: "succeeded", amount_minor: 30_000 });
    const rest = await refundOrder(ctx, shop.tenant, { order_id: order.id });
    if (rest.status !== "succeeded") await decide(rest.id, "succeeded");
    const { amount_received_minor } = (await orderOf(shop, order.id)) ?? {};
    expect(await orderOf(shop, order.id)).toMatchObject({
      status: "paid",
      amount_refunded_minor: amount_received_minor,
      amount_refunding_minor: 0,
    });
    expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
  });
}

function lostResponse(slug: string): void {
  test("a refund whose response is lost is made once", async () => {
    const { provider, shop, order, session, refund, decide } = await paidShop(slug);
    await provider.enter((world) => provider.simulator.breakNext(world, "lost_answer"));
    const one = await refund(30_000);
    await receive(shop, session.id, provider.sent.length);
    if ((await refundOf(shop, one.id)).status !== "succeeded") await decide(one.id, "succeeded");
    expect(await refundOf(shop, one.id)).toMatchObject({ status: "succeeded" });
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_refunded_minor: 30_000, amount_refunding_minor: 0 });
    expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
  });
}

function failedLater(slug: string): void {
  test("a refund that fails after it succeeded is in the books again", async () => {
    if (final.includes(slug)) return;
    const { shop, order, refund, decide } = await paidShop(slug);
    const one = await refund(30_000);
    if (one.status !== "succeeded") await decide(one.id, "succeeded");
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_refunded_minor: 30_000 });
    await decide(one.id, "failed_later");
    if (silent.includes(slug)) return;
    expect(await refundOf(shop, one.id)).toMatchObject({ status: "failed" });
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_refunded_minor: 0, amount_refunding_minor: 0 });
  });
}

function neverPaidOut(slug: string): void {
  test("a refund that the provider never pays out frees the amount it used", async () => {
    if (final.includes(slug)) return;
    const { shop, order, refund, decide } = await paidShop(slug);
    const one = await refund(30_000);
    if (one.status === "succeeded") return;
    await decide(one.id, "failed");
    expect(await refundOf(shop, one.id)).toMatchObject({ status: "failed", transaction_id: null });
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_refunded_minor: 0, amount_refunding_minor: 0 });
  });
}

const cases = [inParts, lostResponse, failedLater, neverPaidOut];

/** Tests refunds through each gateway. With a seed, a third of the cases of each. */
export function testGatewayRefunds(seed?: number): void {
  const isDrawn = drawCases(seed);
  for (const [index, slug] of slugs.entries()) {
    const drawn = cases.filter((_case, at) => isDrawn(index, at));
    describe(`through ${slug}`, () => {
      for (const addTest of drawn) addTest(slug);
    });
  }

  test("after all of these tests the books agree", async () => {
    expect(await auditBooks(ctx)).toEqual([]);
    expect((await auditLedger(ctx)).faults).toEqual([]);
  });
}
