import { describe, expect, test } from "vitest";
import type { NewGatewayRefund } from "#gateways/index.ts";
import { paidShop, reference } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripeSimulator } from "./simulator.ts";

const amount = { amount_minor: 300, currency: "EUR" };

/** Asks for a part of a payment back, under a reference with this last digit. */
const partOf = ({ key, snapshot }: Awaited<ReturnType<typeof paidShop>>, last: number): NewGatewayRefund => ({
  ...key,
  captureId: snapshot.captureId,
  refundReference: `rf_0000000000000000000000000${last}`,
  ...{ amount, total: amount, reason: null, notifyUrl: "https://shop.test/n" },
});

describe("a refund", () => {
  test("requested again after Stripe forgot its key is made once", async () => {
    const shop = await paidShop();
    const asked = { ...partOf(shop, 1), total: { amount_minor: 1_234, currency: "EUR" }, merchantReason: "fraudulent" };
    const first = await shop.account.refund(shop.call, asked);
    shop.world.pass(2 * 86_400);
    const again = await shop.account.refund(shop.call, asked);
    expect(again.providerRefundId).toBe(first.providerRefundId);
    const made = (await shop.library.refunds.list({ payment_intent: shop.snapshot.captureId ?? "" })).data;
    expect(made).toMatchObject([{ reason: null, metadata: { reason: "fraudulent" } }]);
    expect(made).toHaveLength(1);
  });

  test("finds its payment intent by the session if it isn't known yet", async () => {
    const shop = await paidShop();
    const made = await shop.account.refund(shop.call, { ...partOf(shop, 2), captureId: null });
    expect(made).toMatchObject({ state: "succeeded", amount });
  });

  test("of a bank debit waits until it is decided", async () => {
    const shop = await paidShop("processing");
    const { account, call, key, world } = shop;
    await stripeSimulator.simulate(world, { reference, outcome: "paid" });
    const asked = partOf(shop, 3);
    const { refundReference } = asked;
    expect(await account.refund(call, asked)).toMatchObject({ state: "pending" });
    await stripeSimulator.simulateRefund(world, { refundReference, outcome: "failed" });
    const found = await account.queryRefund(call, { ...key, captureId: null, refundReference, providerRefundId: null });
    expect(found).toMatchObject({ state: "failed", refundReference, failure: { code: "lost_or_stolen_card" } });
  });

  test("of a disputed payment is declined", async () => {
    const shop = await paidShop();
    await stripeSimulator.simulate(shop.world, { reference, outcome: "disputed" });
    const refund = shop.account.refund(shop.call, partOf(shop, 4));
    await expect(refund).rejects.toMatchObject({ kind: "declined", code: "charge_disputed" });
  });
});

test.each(["balance_transaction", "nothing"])(
  "the daily list isn't cut off at what can't be read, although Stripe has more: %s without an id",
  async (object) => {
    const { account, call, world } = await paidShop();
    const fetch: typeof call.fetch = async (input, init) => {
      const list = (await (await call.fetch(input, init)).json()) as { data: object[] };
      return Response.json({ ...list, has_more: true, data: list.data.map((item) => ({ ...item, object, id: "" })) });
    };
    const span = { from: new Date(world.now().getTime() - 60_000), to: new Date(world.now().getTime() + 60_000) };
    await expect(account.listSettled?.({ ...call, fetch }, span)).rejects.toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  },
);

test("the daily list has payments and refunds in the charge's currency, oldest first, and nothing else", async () => {
  const shop = await paidShop();
  const { account, call, world } = shop;
  const { captureId } = shop.snapshot;
  const from = world.now();
  world.pass(60);
  const asked = partOf(shop, 5);
  const { providerRefundId } = await account.refund(call, asked);
  await stripeSimulator.simulate(world, { reference, outcome: "disputed" });
  const to = new Date(world.now().getTime() + 1_000);
  const payment = { kind: "payment", reference, providerId: null, captureId, amount: { amount_minor: 1_234, currency: "EUR" } };
  const refund = { kind: "refund", reference: asked.refundReference, providerId: providerRefundId, captureId, amount };
  expect(await account.listSettled?.(call, { from, to })).toEqual([
    { ...payment, hasFee: true, occurredAt: from },
    { ...refund, occurredAt: world.now() },
  ]);
  expect(await account.listSettled?.(call, { from: to, to: new Date(to.getTime() + 1_000) })).toEqual([]);
});

interface ListedItem {
  source: { object: string };
}

test.each<[string, (item: ListedItem) => unknown, boolean]>([
  ["in an unknown currency", (item) => ({ ...item, source: { ...item.source, currency: "xqq" } }), true],
  ["without a time", (item) => ({ ...item, created: null }), true],
  ["that isn't an object", () => "nothing", false],
])("the daily list has what can be read next to a payment %s, and names that", async (_what, change, isNamed) => {
  const shop = await paidShop();
  const { account, call, world } = shop;
  const from = world.now();
  world.pass(60);
  const asked = partOf(shop, 6);
  await account.refund(call, asked);
  const fetch: typeof call.fetch = async (input, init) => {
    const list = (await (await call.fetch(input, init)).json()) as { data: ListedItem[] };
    return Response.json({ ...list, data: list.data.map((item) => (item.source.object === "charge" ? change(item) : item)) });
  };
  const { captureId } = shop.snapshot;
  const named = { name: expect.stringMatching(/^txn_/), reference, providerId: null, captureId };
  const unnamed = { name: expect.stringMatching(/^\d+ 0 1$/), reference: null, providerId: null, captureId: null };
  expect(await account.listSettled?.({ ...call, fetch }, { from, to: new Date(world.now().getTime() + 1_000) })).toEqual([
    { kind: "unreadable", ...(isNamed ? named : unnamed) },
    expect.objectContaining({ kind: "refund", reference: asked.refundReference, amount }),
  ]);
});
