import { beforeAll, describe, expect, test } from "vitest";
import { gateways } from "#app/gateways.ts";
import { findCredential } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, listOrderRefunds } from "#orders/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import type { SimulatedInvoice, SimulatedPullPayment } from "#providers/payment/btcpay/simulator/store.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const listing = ["stripe", "paypal", "mollie", "razorpay", "btcpay", "wechatpay_merchant"];

let made = 0;
const open = (slug: string) => simulatedShop(app, { provider: of(slug), account: `shop ${(made += 1)}` });

/** The buyer pays at the provider, which reports it. */
async function pay({ provider, started, callbackOf }: SimulatedShop, outcome: "paid" | "late" = "paid"): Promise<string> {
  const { order, session } = await started();
  await provider.enter((world) => provider.simulator.simulate(world, { reference: session.id, outcome }));
  await post(app, await callbackOf(session.id));
  return order.id;
}

/** What the comparison found: whether the payments were listed, and what a person is asked about. */
async function found({ tenant, credential, provider }: SimulatedShop) {
  const { comparison_status } = await findCredential(ctx, tenant, { gateway: provider.slug, id: credential.id });
  return { comparison_status, exceptions: (await listExceptions(ctx, tenant, { limit: 20, filters: {} })).rows };
}

test("these are the gateways with a list of settled payments", async () => {
  const lists = await Promise.all(
    gateways.map(async (adapter) => {
      const slug = adapter.manifest.method.gateway;
      const fields = await of(slug).enter((world) => of(slug).simulator.openAccount(world, "any"));
      return adapter.open(fields, { livemode: false }).listSettled === null ? [] : [slug];
    }),
  );
  expect(lists.flat().sort()).toEqual(listing.toSorted());
});

const paid = new Map<string, { shop: SimulatedShop; order_id: string }>();
const paidIn = (name: string) => paid.get(name) ?? expect.fail(`nothing was paid in ${name}`);

// The same days pass for all of them: each day compares every account.
beforeAll(async () => {
  for (const slug of listing) {
    const shop = await open(slug);
    paid.set(slug, { shop, order_id: await pay(shop) });
  }
  for (const outcome of ["paid", "late"] as const) {
    const shop = await open("razorpay");
    const account = `shop ${made}`;
    await shop.provider.enter(async ({ documents }) =>
      documents.put("account", account, { ...(await documents.get<object>("account", account)), feeBearer: "customer" }),
    );
    paid.set(`razorpay ${outcome}`, { shop, order_id: await pay(shop, outcome) });
  }
  await compareDays(app, 18);
});

describe.each(listing)("through %s", (slug) => {
  test("a payment is on the provider's list as it was booked, for the two weeks in which it has to be", async () => {
    const { shop, order_id } = paidIn(slug);
    expect(await findOrderRow(ctx.db, shop.tenant, order_id)).toMatchObject({ status: "paid", flags: [] });
    expect(await found(shop)).toEqual({ comparison_status: "equal", exceptions: [] });
  });
});

test.each(["paid", "late"] as const)(
  "a payment at Razorpay whose buyer paid the fee on top is booked without the fee, and its list agrees: %s",
  async (outcome) => {
    const { shop, order_id } = paidIn(`razorpay ${outcome}`);
    expect(await findOrderRow(ctx.db, shop.tenant, order_id)).toMatchObject({
      status: "paid",
      flags: [],
      amount_received_minor: shop.provider.amount.amount_minor,
    });
    expect(await found(shop)).toEqual({ comparison_status: "equal", exceptions: [] });
  },
);

test("a refund that a person made in BTCPay Server is booked on the first day, and its account's breaker counts no failure", async () => {
  const shop = await open("btcpay");
  const { tenant, provider, credential } = shop;
  const order_id = await pay(shop);
  await provider.enter(async ({ documents, now }) => {
    const invoices = await documents.list<SimulatedInvoice>("invoice");
    const invoice = invoices.find(({ storeId }) => storeId === credential.fields["store_id"]) ?? expect.fail("no invoice");
    const at = Math.floor(now().getTime() / 1_000);
    const { storeId, currency } = invoice;
    const payouts: SimulatedPullPayment["payouts"] = [{ id: "po", amount: 30_000, state: "Completed", at }];
    const byHand = { id: "byHand", storeId, name: `Refund ${invoice.id}`, description: "", currency, amount: 30_000 };
    await documents.put("pullPayment", byHand.id, { ...byHand, isArchived: false, startsAt: at, payouts });
  });
  await compareDays(app, 2);
  const { rows } = await listOrderRefunds(ctx, tenant, { order_id, limit: 20 });
  expect(rows).toMatchObject([{ amount_minor: 300, status: "succeeded", gateway_refund_id: "byHand" }]);
  expect((await found(shop)).exceptions).toEqual([]);
  expect(await findCredential(ctx, tenant, { gateway: provider.slug, id: credential.id })).toMatchObject({
    comparison_error: null,
    consecutive_failures: 0,
    is_paused: false,
  });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
