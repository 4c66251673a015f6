import { atNow, type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findOrderRow, lockOrder } from "../rows/orders.sql.ts";
import type { RefundRow } from "../shapes.ts";
import { choosePayment, choosePaymentAtProvider } from "./booking/choose-payment.ts";
import { type ManualDetails, refuseOddDetails } from "./booking/manual-details.ts";
import { recordRefund } from "./booking/record-refund.ts";
import { amountOf } from "./booking/refund-limit.ts";
import { takeOut } from "./booking/take-out.ts";
import { findRequested } from "./provider/begin-refund.ts";
import { refundByProvider } from "./provider/refund-by-provider.ts";
import { requestKeyOf } from "./provider/request-refund.ts";

export interface RefundInput extends ManualDetails {
  order_id: string;
  /**
   * Who pays it back: the payment's provider, or a person who says that they did. The provider of a payment that came through one, when
   * absent.
   */
  method?: "gateway" | "manual";
  /** By default, all that is left to refund. */
  amount_minor?: number;
  /** The payment to refund; by default, the one with the most left. */
  payment_session_id?: string;
}

/**
 * Refunds a paid order: through the payment's provider, or by recording that a person refunded it. An order can have several refunds;
 * together they never exceed what it received, without money in suspense or excess and what disputes took. Throws refund_exceeds_received,
 * order_state_conflict, parameter_conflict, gateway_not_configured and gateway_error.
 */
export async function refundOrder(ctx: Ctx, tenant: Tenant, input: RefundInput): Promise<RefundRow> {
  await refuseOddDetails(ctx, input);
  const method = input.method ?? (await usualMethod(ctx, tenant, input));
  return method === "gateway" ? refundByProvider(ctx, tenant, input) : recordByPerson(ctx, tenant, input);
}

/** A repeated request continues its own refund, which may have left less at the provider than came in another way. */
async function usualMethod(ctx: Ctx, tenant: Tenant, input: RefundInput): Promise<"gateway" | "manual"> {
  if ((await findRequested(ctx.db, tenant, { requestKey: requestKeyOf(ctx) })) !== null) return "gateway";
  const order = await findOrderRow(ctx.db, tenant, input.order_id);
  const atProvider = order === null ? null : await choosePaymentAtProvider(ctx.db, { order, input });
  return atProvider === null ? "manual" : "gateway";
}

function recordByPerson(ctx: Ctx, tenant: Tenant, input: RefundInput): Promise<RefundRow> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const pinned = await atNow(ctx, tx);
    const amountMinor = amountOf(order, input);
    const { gateway, session } = await choosePayment(tx, { order, input, amountMinor });
    // A payment arrived after it was determined that there was no provider to ask.
    if (input.method === undefined && (await choosePaymentAtProvider(tx, { order, input })) !== null)
      throw orderErrors.order_state_conflict();
    const of = {
      order_id: order.id,
      exception_id: null,
      payment_session_id: session?.id ?? null,
      gateway,
      amount_minor: amountMinor,
      currency: order.currency,
    };
    const id = pinned.id("rf");
    const transaction = await takeOut(tx, pinned, {
      order,
      refund: { ...of, id },
      amountMinor,
      number: input.external_transaction_id ?? null,
    });
    return recordRefund(tx, pinned, { tenant: order, id, of, transaction, details: input });
  });
}
