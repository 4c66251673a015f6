import { applyCallback } from "#orders/gateway/apply-callback.ts";
import { pollPayment } from "#orders/gateway/poll-payment.ts";
import { refundOrder } from "#orders/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import { inSteps } from "#platform/index.ts";
import { listExceptions, resolveException } from "#reconciliation/index.ts";
import { storeSent } from "./apply-report.ts";
import { type Given, operation, operationGateway } from "./gateway-deeds.ts";

type Paid = Parameters<typeof operationGateway.pay>[1];

/** A payment that was paid, and a refund of it, or of what an exception holds of it, whose first state at the provider is `begins`. */
const refunding = (name: string, begins: typeof operationGateway.refundsBegin, change: Paid = {}) =>
  operation(`refund through a provider ${name}`, async (given) => {
    const { app, tenant, order_id } = given;
    await payThere(given, change);
    const [held] = (await listExceptions(app.ctx, tenant, { limit: 1, filters: {} })).rows;
    return (ctx) => {
      operationGateway.refundsBegin = begins;
      if (held !== undefined) return resolveException(ctx, tenant, { exception_id: held.id, action: "refund" });
      return refundOrder(ctx, tenant, { order_id, amount_minor: 900 });
    };
  });

async function payThere({ app, tenant, session_id }: Given, change: Paid): Promise<void> {
  operationGateway.pay(session_id, change);
  const payment = await findGatewayPayment(app.ctx.db, tenant, session_id);
  if (payment !== null) await pollPayment(app.ctx, payment);
}

/** A callback of a refund of that payment, which was made by us or at the provider itself. */
const reportOf = (name: string, prepare: (given: Given) => Promise<string>) =>
  operation(`apply a callback of ${name}`, async (given) => {
    const { app, account } = given;
    await payThere(given, {});
    const callback = await storeSent(app.ctx, { account, sent: operationGateway.refundCallback(await prepare(given)) });
    return (ctx) => inSteps(ctx, (steps) => applyCallback({ ...steps, claim: null }, callback));
  });

const refundNow = async ({ app, tenant, order_id }: Given, begins: typeof operationGateway.refundsBegin, change: typeof begins) => {
  operationGateway.refundsBegin = begins;
  const { id } = await refundOrder(app.ctx, tenant, { order_id, amount_minor: 900 });
  operationGateway.changeRefund(id, change);
  return id;
};

const tooMuch = { paid: { amount_minor: 10_000, currency: "CNY" } };

/** Refunds that a provider makes, and its reports about them. */
export const refundOperations = [
  refunding("that pays at once", { state: "succeeded" }),
  refunding("that is under way", { state: "pending" }),
  refunding("that the buyer claims", { state: "requires_action", claimUrl: "https://btc.example/1" }),
  refunding("of an excess", { state: "succeeded" }, tooMuch),
  refunding("of an excess that is under way", { state: "pending" }, tooMuch),
  reportOf("a refund that succeeded", (given) => refundNow(given, { state: "pending" }, { state: "succeeded" })),
  reportOf("a refund that failed", (given) => refundNow(given, { state: "pending" }, { state: "failed" })),
  reportOf("a refund that failed after it succeeded", (given) => refundNow(given, { state: "succeeded" }, { state: "failed" })),
  reportOf("a refund that was made at the provider", async ({ app, session_id }) =>
    operationGateway.refundAtProvider(session_id, { id: app.ctx.id("rf"), amountMinor: 700 }),
  ),
];
