import { atNow, type Ctx, inSteps, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { lockOrder } from "../../rows/orders.sql.ts";
import type { ExceptionRow, GatewayRefundRow, OrderRow, RefundRow } from "../../shapes.ts";
import { choosePaymentAtProvider } from "../booking/choose-payment.ts";
import { findPaymentOfHeld, refundOfHeld, refuseTaken, refuseUnbooked } from "../booking/held.ts";
import type { ManualDetails } from "../booking/manual-details.ts";
import { amountOf, eachAlone, tooMuch } from "../booking/refund-limit.ts";
import { uncountHeld } from "../booking/take-out.ts";
import { findRequested, type Requester, refuseManualDetails, refuseUnrefundable, writeRequest } from "./begin-refund.ts";
import { requestRefund } from "./request-refund.ts";

export interface ProviderRefund extends ManualDetails {
  order_id: string;
  amount_minor?: number;
  payment_session_id?: string;
}

/**
 * Requests a refund from the provider of an order's payment: stored under the order's lock, requested under the refund's id without any
 * lock, and finished, in repeatable steps. Throws the errors of `refundOrder`.
 */
export function refundByProvider(ctx: Ctx, tenant: Tenant, input: ProviderRefund): Promise<RefundRow> {
  refuseManualDetails(input);
  return inSteps(ctx, (steps) => requestRefund(steps, tenant, (tx, requester) => beginOfOrder(tx, steps, { tenant, input, requester })));
}

async function beginOfOrder(
  tx: Tx,
  ctx: Ctx,
  given: { tenant: Tenant; input: ProviderRefund; requester: Requester },
): Promise<GatewayRefundRow> {
  const { tenant, input, requester } = given;
  const order = await lockOrder(tx, tenant, input.order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  const existing = await findRequested(tx, tenant, requester);
  if (existing !== null) return existing;
  const amountMinor = amountOf(order, input);
  const chosen = await choosePaymentAtProvider(tx, { order, input });
  if (chosen === null) throw byNoProvider();
  const { payment, restMinor } = chosen;
  await refuseUnrefundable(tx, ctx, { payment, amount: { amount_minor: amountMinor, currency: order.currency } });
  if (amountMinor > restMinor)
    throw tooMuch(order, { refundableMinor: restMinor, more: ` of this payment through ${payment.gateway}. ${eachAlone}` });
  const of = {
    order_id: order.id,
    exception_id: null,
    payment_session_id: payment.payment_session_id,
    gateway: payment.gateway,
    amount_minor: amountMinor,
    currency: order.currency,
  };
  return writeRequest(tx, await atNow(ctx, tx), { tenant: order, of, payment, details: input, requester });
}

function byNoProvider(): Error {
  const message =
    'This money did not come through a payment provider that could pay it back. Pay it back yourself, and record that with method "manual".';
  return platformErrors.parameter_conflict({ param: "method", reason: "not_allowed", message });
}

/**
 * Stores that the provider is to refund all money of a locked exception, which its order no longer counts. The caller closes the exception.
 */
export async function writeHeldRequest(
  tx: Tx,
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow | null; details: ManualDetails; requester: Requester },
): Promise<GatewayRefundRow> {
  const { exception, order, details, requester } = given;
  refuseUnbooked(exception);
  const payment = await findPaymentOfHeld(tx, exception);
  if (payment === null) throw byNoProvider();
  await refuseUnrefundable(tx, ctx, { payment, amount: exception });
  await refuseTaken(tx, exception);
  const pinned = await atNow(ctx, tx);
  await uncountHeld(tx, { exception, order });
  return writeRequest(tx, pinned, { tenant: exception, of: refundOfHeld(given), payment, details, requester });
}
