import type { DisputeSnapshot } from "#gateways/index.ts";
import { cancelOrder, createGatewayPayment, simulatePayment, startPayment } from "#orders/index.ts";
import { requestLeaseMs } from "#orders/refund/provider/begin-refund.ts";
import { type Ctx, inSteps, type Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { MoneyOperation } from "#test/support/payments/money-deeds.ts";
import { settleModes } from "#test/support/payments/settle-money.ts";
import { applyReport, storeReport } from "./apply-report.ts";
import { gatewayShop } from "./gateway-shop.ts";
import { payingGateway } from "./paying-gateway.ts";

/** The provider of these operations. Each operation has its own payment there. */
export const operationGateway = payingGateway();

export interface Given {
  app: TestApp;
  tenant: Tenant;
  order_id: string;
  account: string;
  session_id: string;
}

/** An operation of a payment through a gateway: the provider is queried between its steps, so each step is complete in itself. */
export function operation(
  name: string,
  prepare: (given: Given) => Promise<(ctx: Ctx) => Promise<unknown>>,
  isStarted = true,
): MoneyOperation {
  return {
    name,
    stepwise: true,
    async prepare(app) {
      const { tenant, order: make, account: add } = await gatewayShop(app);
      const account = await add("tp_a");
      const { order } = await make({ amount_minor: 9900 });
      const started = isStarted ? await startPayment(app.ctx, tenant, { order_id: order.id, gateway: "testpay" }) : null;
      const run = await prepare({ app, tenant, order_id: order.id, account, session_id: started?.session.id ?? "" });
      // As long as a lost process may still be querying.
      return { tenant, run, recover: () => app.clock.advance(requestLeaseMs + 1_000) };
    },
  };
}

interface Happening {
  change?: Parameters<typeof operationGateway.pay>[1];
  before?: (given: Given) => Promise<unknown>;
}

/** A stored callback that is applied, under the key that a test gives to every operation. */
const reportedBy = (way: (typeof settleModes)[number], name: string, { change = {}, before = async () => {} }: Happening) =>
  operation(`apply a callback of ${name}, ${way}`, async (given) => {
    const { app, account, session_id } = given;
    await before(given);
    operationGateway.pay(session_id, change);
    const callback = await storeReport(app.ctx, { gateway: operationGateway, account, reference: session_id });
    return (ctx) => inSteps(ctx, (steps) => applyReport({ ...steps, claim: null }, { callback, way }));
  });

/** What is applied as reported, in each of the ways in which money is settled. */
const reportOf = (name: string, happening: Happening = {}) => settleModes.map((way) => reportedBy(way, name, happening));
/** What the provider is queried about first. */
const queried = (name: string, change: Happening["change"]) => reportedBy("together", name, { change });

/** A paid order that is disputed: all states but the last are applied before. */
const disputed = (states: DisputeSnapshot["state"][], more: Partial<DisputeSnapshot> = {}) =>
  operation(`apply a dispute: ${[...states, ...Object.keys(more)].join(", ")}`, async (given) => {
    const { app, account, session_id } = given;
    const of = { gateway: operationGateway, account, reference: session_id };
    operationGateway.pay(session_id);
    let callback = await storeReport(app.ctx, of);
    for (const [at, state] of states.entries()) {
      await applyReport(app.ctx, { callback, way: "together" });
      callback = await storeReport(app.ctx, { ...of, report: { kind: "dispute", dispute: disputeOf(session_id, { state, at, ...more }) } });
    }
    return (ctx) => inSteps(ctx, (steps) => applyReport({ ...steps, claim: null }, { callback, way: "together" }));
  });

/** A dispute of a payment, as its provider reports it for the `at`-th minute. */
export function disputeOf(reference: string, { at, ...more }: Partial<DisputeSnapshot> & { at: number }): DisputeSnapshot {
  return {
    providerDisputeId: `dp_${reference}`,
    payment: { reference, providerId: null, captureId: null },
    state: "opened",
    amount: { amount_minor: 9900, currency: "CNY" },
    reason: "fraudulent",
    occurredAt: new Date(Date.UTC(2026, 10, 20, 9, at)),
    ...more,
  };
}

const cancel = ({ app, tenant, order_id }: Given) => cancelOrder(app.ctx, tenant, { order_id });

/** Money operations that go through a provider; their app needs `operationGateway`. */
export const gatewayOperations: MoneyOperation[] = [
  operation(
    "start a payment through a gateway",
    async ({ tenant, order_id }) =>
      (ctx) =>
        startPayment(ctx, tenant, { order_id, gateway: "testpay" }),
    false,
  ),
  operation(
    "start another payment than a gateway's",
    async ({ tenant, order_id }) =>
      (ctx) =>
        startPayment(ctx, tenant, { order_id, gateway: "wechatpay" }),
  ),
  operation(
    "cancel an order that is open at a gateway",
    async ({ tenant, order_id }) =>
      (ctx) =>
        cancelOrder(ctx, tenant, { order_id }),
  ),
  operation(
    "create a gateway's payment with its order",
    async ({ tenant }) =>
      (ctx) =>
        createGatewayPayment(ctx, tenant, { gateway: "testpay", reference: "INV-1", amount_minor: 9900, currency: "CNY" }),
    false,
  ),
  ...reportOf("the amount"),
  ...reportOf("the amount with a fee", { change: { fee: { amount_minor: 60, currency: "CNY" } } }),
  ...reportOf("the amount and its refund", { change: { refunded: { amount_minor: 9900, currency: "CNY" } } }),
  ...reportOf("a paid order", { before: ({ app, tenant, order_id }) => simulatePayment(app.ctx, tenant, { order_id }) }),
  ...reportOf("a canceled order", { before: cancel }),
  ...reportOf("an expired order", {
    before: ({ app, tenant, order_id }) => simulatePayment(app.ctx, tenant, { order_id, outcome: "expire" }),
  }),
  queried("too little", { paid: { amount_minor: 9000, currency: "CNY" } }),
  queried("too much", { paid: { amount_minor: 10_000, currency: "CNY" } }),
  queried("another currency", { paid: { amount_minor: 9900, currency: "EUR" } }),
  queried("another account", { account: "tp_other" }),
  disputed(["inquiry"]),
  disputed(["opened"], { fee: { amount_minor: 150, currency: "CNY" } }),
  disputed(["opened", "won"]),
  disputed(["opened", "lost"]),
  disputed(["won"]),
  disputed(["opened"], { amount: { amount_minor: 20_000, currency: "CNY" } }),
  disputed(["opened"], { amount: { amount_minor: 9_900, currency: "EUR" } }),
];
