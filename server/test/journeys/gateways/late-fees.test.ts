import { expect, test } from "vitest";
import { auditLedger, listWallets } from "#ledger/index.ts";
import { pollPayment } from "#orders/gateway/poll-payment.ts";
import { auditBooks, createCallbackApplier } from "#orders/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import type { Charge } from "#providers/payment/stripe/simulator/documents.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const minuteMs = 60_000;

const stripe = of("stripe");
const { enter, simulator, amount } = stripe;
/** Stripe's own: 2.9% and 30 cents. */
const fee = Math.round(amount.amount_minor * 0.029) + 30;
let made = 0;

/** A payment that Stripe has reported with its only event, whose session doesn't include the fee. */
async function paidShop() {
  const shop = await simulatedShop(app, { provider: stripe, account: `fees ${(made += 1)}` });
  const { session } = await shop.started();
  await enter((world) => simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  const payment = async () => {
    const found = await findGatewayPayment(ctx.db, shop.tenant, session.id);
    if (found === null) throw new Error("there is no payment");
    return found;
  };
  return { ...shop, payment };
}

/** Time passes, after which the workers apply what is due. */
async function pass(minutes: number): Promise<void> {
  app.clock.advance(minutes * minuteMs);
  const applier = createCallbackApplier();
  for (let started = 1; started > 0; await applier.idle()) started = await applier.run(ctx);
  await applier.finish(ctx);
}

const balanceOf = async ({ tenant }: SimulatedShop) => (await listWallets(ctx, tenant, { limit: 9 }))?.data[0]?.balance_minor;

/** Stripe determines the fee of a charge later than the charge itself; null: not yet. */
async function determineFee(at: string | null): Promise<string | null> {
  return enter(async ({ documents }) => {
    const [charge] = (await documents.list<Charge>("charge")).slice(-1);
    if (charge === undefined) throw new Error("nothing was charged");
    await documents.put("charge", charge.id, { ...charge, balance_transaction: at });
    return charge.balance_transaction;
  });
}

test("Stripe's fee of a payment that its event reported is booked once, soon after", async () => {
  const shop = await paidShop();
  expect(await shop.payment()).toMatchObject({ status: "done", paid_minor: amount.amount_minor, fee_minor: null });
  await pass(6);
  expect(await shop.payment()).toMatchObject({ fee_minor: fee, fee_currency: amount.currency });
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
  await pollPayment(ctx, await shop.payment());
  await pass(2 * 24 * 60);
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
});

test("a payment that was asked about before its callback was due has its fee booked then, and once", async () => {
  const shop = await paidShop();
  await pollPayment(ctx, await shop.payment());
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
  await pass(6);
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
});

test("a fee that Stripe determines later is asked about again, and Stripe's silence about it is no exception", async () => {
  const shop = await paidShop();
  const later = await determineFee(null);
  await pass(6);
  expect(await shop.payment()).toMatchObject({ fee_minor: null });
  stripe.simulator = { ...simulator, handle: async () => new Response("{}", { status: 503 }) };
  await pass(70);
  stripe.simulator = simulator;
  await determineFee(later);
  await pass(25 * 60);
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("a fee that wasn't known when polling found the payment is booked when Stripe lists it", async () => {
  const shop = await simulatedShop(app, { provider: stripe, account: `fees ${(made += 1)}` });
  const { session } = await shop.started();
  await enter((world) => simulator.simulate(world, { reference: session.id, outcome: "silent" }));
  const later = await determineFee(null);
  const payment = await findGatewayPayment(ctx.db, shop.tenant, session.id);
  if (payment !== null) await pollPayment(ctx, payment);
  expect(await balanceOf(shop)).toBe(amount.amount_minor);
  await determineFee(later);
  await compareDays(app, 2);
  expect(await balanceOf(shop)).toBe(amount.amount_minor - fee);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("WeChat Pay's fee, which only its bill tells, is booked once", async () => {
  const wechat = of("wechatpay_merchant");
  const { amount_minor } = wechat.amount;
  const shop = await simulatedShop(app, { provider: wechat, account: `fees ${(made += 1)}` });
  const { session } = await shop.started();
  await wechat.enter((world) => wechat.simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  expect(await balanceOf(shop)).toBe(amount_minor);
  await compareDays(app, 3);
  const left = amount_minor - Math.round(amount_minor * 0.006);
  expect(await balanceOf(shop)).toBe(left);
  await compareDays(app, 2);
  expect(await balanceOf(shop)).toBe(left);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
