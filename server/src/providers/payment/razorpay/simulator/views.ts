import type { SimulatorWorld } from "#gateways/index.ts";
import { type Account, chargedOf, type Dispute, feeOf, type Link, type Payment, type Refund, refundedOf, takenOf } from "./shapes.ts";

const orderIdOf = ({ id }: Link) => id.replace("plink_", "order_");

/** A link as the API shows it. It has an order once a payment was attempted. */
export function linkView(world: SimulatorWorld, link: Link): Record<string, unknown> {
  const taken = link.status === "paid" ? takenOf(link) : undefined;
  return {
    accept_partial: false,
    amount: link.amount,
    amount_paid: taken === undefined ? 0 : link.amount,
    callback_method: "get",
    callback_url: link.callbackUrl,
    cancelled_at: link.status === "cancelled" ? link.endedAt : 0,
    created_at: link.createdAt,
    currency: link.currency,
    customer: {},
    description: link.description,
    expire_by: link.expireBy,
    expired_at: link.status === "expired" ? link.endedAt : 0,
    id: link.id,
    notes: link.notes,
    notify: { email: false, sms: false },
    ...(link.payments.length === 0 ? {} : { order_id: orderIdOf(link) }),
    payments:
      taken === undefined
        ? null
        : [
            {
              amount: link.amount,
              created_at: taken.createdAt,
              method: "upi",
              payment_id: taken.id,
              plink_id: link.id,
              status: "captured",
              updated_at: taken.createdAt,
            },
          ],
    reference_id: link.referenceId ?? "",
    reminder_enable: false,
    short_url: `${world.origin}/i/${link.id}`,
    status: link.status,
    updated_at: link.endedAt || link.createdAt,
    upi_link: false,
    user_id: "",
  };
}

export function paymentView(link: Link, payment: Payment): Record<string, unknown> {
  const [refunded, isTaken, isFailed] = [refundedOf(payment), payment.status === "captured", payment.status === "failed"];
  const [charged, { fee, tax }] = [chargedOf(link), feeOf(link)];
  return {
    id: payment.id,
    entity: "payment",
    amount: charged,
    currency: link.currency,
    ...(link.currency === "INR" ? {} : { base_amount: charged * 80, base_currency: "INR" }),
    status: isTaken && refunded === charged ? "refunded" : payment.status,
    order_id: orderIdOf(link),
    method: "upi",
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded === charged ? "full" : "partial",
    captured: isTaken,
    description: `#${link.id.replace("plink_", "")}`,
    notes: link.notes,
    fee: isTaken ? fee : null,
    tax: isTaken ? tax : null,
    fee_bearer: link.feeBearer ?? "platform",
    error_code: isFailed ? "BAD_REQUEST_ERROR" : null,
    error_description: isFailed ? "Payment was unsuccessful as the bank declined it." : null,
    error_reason: isFailed ? "payment_declined" : null,
    created_at: payment.createdAt,
  };
}

export function refundView(link: Link, payment: Payment, refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    entity: "refund",
    amount: refund.amount,
    receipt: refund.receipt,
    currency: link.currency,
    payment_id: payment.id,
    notes: refund.notes,
    created_at: refund.createdAt,
    status: refund.status,
    speed_processed: "normal",
    speed_requested: "normal",
  };
}

export function disputeView(link: Link, dispute: Dispute): Record<string, unknown> {
  return {
    id: dispute.id,
    entity: "dispute",
    payment_id: takenOf(link)?.id,
    amount: chargedOf(link),
    currency: link.currency,
    amount_deducted: dispute.status === "lost" ? chargedOf(link) : 0,
    reason_code: "goods_or_services_not_received_or_partially_received",
    status: dispute.status,
    phase: "chargeback",
    created_at: dispute.createdAt,
  };
}

/** Wraps entities in an event. */
export function eventBody(account: Account, event: { type: string; entities: Record<string, unknown>; createdAt: number }): string {
  return JSON.stringify({
    entity: "event",
    account_id: `acc_${account.merchantId}`,
    event: event.type,
    contains: Object.keys(event.entities),
    payload: Object.fromEntries(Object.entries(event.entities).map(([name, entity]) => [name, { entity }])),
    created_at: event.createdAt,
  });
}
