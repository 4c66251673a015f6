import { describe, expect, test } from "vitest";
import { gateways } from "#app/gateways.ts";
import { createCredential, type SimulatedOutcome } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, cancelOrder, createPaymentPoller, simulatePayment, startPayment } from "#orders/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { listExceptions } from "#reconciliation/index.ts";
import {
  post,
  type SimulatedProvider,
  type SimulatedShop,
  simulatedApp,
  simulatedShop,
} from "#test/support/gateways/contract/simulated-app.ts";
import { drawCases } from "#test/support/gateways/simulated/draw-cases.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const slugs = gateways.map(({ manifest }) => manifest.method.gateway);

const orderOf = (shop: SimulatedShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const exceptionsOf = async (shop: SimulatedShop) => (await listExceptions(ctx, shop.tenant, { limit: 20, filters: {} })).rows;
/** The buyer does something at the provider, which reports it. */
const payReported = async (shop: SimulatedShop, { reference, outcome }: { reference: string; outcome: SimulatedOutcome }) => {
  await shop.provider.enter((world) => shop.provider.simulator.simulate(world, { reference, outcome }));
  const callback = await shop.callbackOf(reference);
  const answer = await post(app, callback);
  expect(callback.accepts({ status: answer.status, body: answer.text })).toBe(true);
};
const paidAndReported = (shop: SimulatedShop, reference: string) => payReported(shop, { reference, outcome: "paid" });

/** A gateway; each test opens a shop with an account of its own there. */
interface Through {
  slug: string;
  provider: SimulatedProvider;
  open(): Promise<SimulatedShop>;
}

function afterExpiry({ provider, open }: Through): void {
  const { amount_minor } = provider.amount;
  test("money that arrives after the order expired pays it, and the order says so", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await simulatePayment(ctx, shop.tenant, { order_id: order.id, outcome: "expire" });
    await paidAndReported(shop, session.id);
    // What is approved late is never taken.
    if (shop.isTaken) return expect(await orderOf(shop, order.id)).toMatchObject({ status: "expired", amount_received_minor: 0 });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: ["paid_late"], amount_received_minor: amount_minor });
    expect(await exceptionsOf(shop)).toEqual([]);
  });
}

function afterCancellation({ provider, open }: Through): void {
  const { amount_minor, currency } = provider.amount;
  test("money that arrives although the order was canceled waits for a person", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const asBefore = provider.snapshot();
    await cancelOrder(ctx, shop.tenant, { order_id: order.id });
    asBefore();
    await paidAndReported(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "canceled", amount_received_minor: 0 });
    const late = { kind: "late", order_id: order.id, amount_minor, currency, detail: { reason: "order_canceled" } };
    expect(await exceptionsOf(shop)).toMatchObject(shop.isTaken ? [] : [late]);
  });
}

function twice({ slug, provider, open }: Through): void {
  const { amount_minor, currency } = provider.amount;
  test("and another gateway, an order that is paid twice is paid once, and the rest waits for a person", async () => {
    const shop = await open();
    const other = of(slug === "btcpay" ? "stripe" : "btcpay");
    const fields = await other.enter((world) => other.simulator.openAccount(world, `second ${shop.credential.id}`));
    await createCredential(ctx, shop.tenant, { gateway: other.slug, fields });
    const { order, session } = await shop.started();
    const asBefore = provider.snapshot();
    const second = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: other.slug });
    await other.enter((world) => other.simulator.simulate(world, { reference: second.session.id, outcome: "paid" }));
    await pollAll();
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: [], amount_received_minor: amount_minor });
    asBefore();
    await paidAndReported(shop, session.id);
    if (shop.isTaken)
      return expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: [], amount_received_minor: amount_minor });
    expect(await orderOf(shop, order.id)).toMatchObject({
      status: "paid",
      flags: ["duplicate_payment"],
      amount_received_minor: amount_minor,
    });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "duplicate", gateway: slug, order_id: order.id, amount_minor, currency }]);
  });
}

const otherAmounts = [
  { name: "less", outcome: "underpaid", digits: ["987600", "9876.00"], status: "unpaid", held: 987_600 },
  { name: "more", outcome: "overpaid", digits: ["987700", "9877.00"], status: "paid", held: 46 },
] as const;

function otherAmount({ provider, open }: Through, asked: (typeof otherAmounts)[number]): void {
  const { currency } = provider.amount;
  const {
    name,
    outcome,
    digits: [minor, decimal],
    status,
    held,
  } = asked;
  test(`money that is ${name} than was requested is held, and the order says so`, async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const isOffered = provider.simulator.outcomes.includes(outcome);
    const rewrite = (text: string) =>
      text.replaceAll(/(?<![0-9.])987654(?![0-9])/g, minor).replaceAll(/(?<![0-9.])9876\.54(?![0-9])/g, decimal);
    if (isOffered) await payReported(shop, { reference: session.id, outcome });
    else await altered(provider, rewrite, () => payReported(shop, { reference: session.id, outcome: "paid" }));
    if (shop.isTaken) return expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", flags: [], amount_received_minor: 0 });
    expect(await orderOf(shop, order.id)).toMatchObject({ status, flags: [outcome], ...(isOffered ? {} : { amount_held_minor: held }) });
    expect(await exceptionsOf(shop)).toMatchObject([
      { kind: outcome, order_id: order.id, currency, ...(isOffered ? {} : { amount_minor: held }) },
    ]);
  });
}

/** With only one currency, no other can be reported. */
function otherCurrency({ provider, open }: Through): void {
  const { currency } = provider.amount;
  if (provider.adapter.manifest.method.currencies.length === 1) return;
  test("money in another currency pays nothing, and waits for a person", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const [upper, lower] = [new RegExp(`"${currency}"`, "g"), new RegExp(`"${currency.toLowerCase()}"`, "g")];
    await altered(
      provider,
      (text) => text.replaceAll(upper, '"USD"').replaceAll(lower, '"usd"'),
      () => paidAndReported(shop, session.id),
    );
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
    if (shop.isTaken) return expect(await exceptionsOf(shop)).toEqual([]);
    expect(await exceptionsOf(shop)).toMatchObject([
      { kind: "mismatch", order_id: order.id, currency: "USD", detail: { reason: "currency" } },
    ]);
  });
}

function approvedAndReturned({ provider, open }: Through): void {
  const { amount_minor } = provider.amount;
  if (!provider.simulator.outcomes.includes("auto_refunded")) return;
  test("money that was approved and went back without being captured pays nothing, and the buyer can pay again", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await payReported(shop, { reference: session.id, outcome: "auto_refunded" });
    await pollAll();
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0, amount_refunded_minor: 0 });
    await paidAndReported(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: [], amount_received_minor: amount_minor });
    expect(await exceptionsOf(shop)).toEqual([]);
  });
}

function elsewhere({ slug, provider, open }: Through): void {
  test("money that went to another account of the same project doesn't belong to the order", async () => {
    const shop = await open();
    const restore = provider.snapshot();
    const { order, session } = await shop.started();
    restore();
    const elsewhere = await simulatedShop(app, {
      provider,
      account: `elsewhere ${slug}`,
      merchant_id: shop.tenant.merchant_id,
      project_id: shop.tenant.project_id,
    });
    const theirs = await elsewhere.callbackOfPaid(session.id);
    await post(app, theirs);
    expect((await post(app, { ...theirs, url: theirs.url.replace(elsewhere.credential.id, shop.credential.id) })).status).toBeLessThan(500);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
  });
}

/** Cases that every gateway has. */
const common: ((through: Through) => void)[] = [
  afterExpiry,
  afterCancellation,
  twice,
  ...otherAmounts.map((amount) => (through: Through) => otherAmount(through, amount)),
  elsewhere,
];

/** Tests money that isn't what was requested, through each gateway. With a seed, each gateway has a third of the cases that all have. */
export function testOddMoney(seed?: number): void {
  const isDrawn = drawCases(seed);
  describe.each(slugs.map((slug, index) => ({ slug, index })))("through $slug", ({ slug, index }) => {
    const provider = of(slug);
    let made = 0;
    const through: Through = { slug, provider, open: () => simulatedShop(app, { provider, account: `shop ${(made += 1)}` }) };
    for (const [at, addTest] of common.entries()) if (isDrawn(index, at)) addTest(through);
    otherCurrency(through);
    approvedAndReturned(through);
  });

  test("after all of these tests the books agree", async () => {
    expect(await auditBooks(ctx)).toEqual([]);
    expect((await auditLedger(ctx)).faults).toEqual([]);
  });
}

/** While `work` runs, the provider's stored payments are rewritten. */
async function altered(provider: SimulatedProvider, rewrite: (text: string) => string, work: () => Promise<void>): Promise<void> {
  provider.rewrite = rewrite;
  try {
    await work();
  } finally {
    provider.rewrite = null;
  }
}

/** Queries every payment, as each one's open page would. */
async function pollAll(): Promise<void> {
  app.clock.advance(301_000);
  const poller = createPaymentPoller();
  for (let started = 1; started > 0; await poller.idle()) started = await poller.run(ctx);
  await poller.finish(ctx);
}
