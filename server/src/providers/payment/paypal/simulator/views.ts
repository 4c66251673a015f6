import type { SimulatorWorld } from "#gateways/index.ts";
import { type Account, type Dispute, moneyOf, type Order, type Refund, unitsOf } from "./shapes.ts";

/** An order as the API shows it. */
export function orderView(world: SimulatorWorld, order: Order, account: Account): Record<string, unknown> {
  return {
    id: order.id,
    intent: "CAPTURE",
    status: order.status,
    payment_source: { paypal: {} },
    purchase_units: [
      {
        reference_id: "default",
        amount: order.amount,
        payee: { email_address: `${account.name.replaceAll(" ", "-")}@example.com`, merchant_id: account.merchantId },
        description: order.description,
        custom_id: order.customId ?? undefined,
        invoice_id: order.invoiceId ?? undefined,
        ...(order.capture === null
          ? {}
          : {
              payments: {
                captures: [captureInOrder(world, order)],
                ...(order.refunds.length === 0 ? {} : { refunds: order.refunds.map((one) => refundView(world, order, one)) }),
              },
            }),
      },
    ],
    create_time: order.createTime,
    update_time: order.updateTime,
    links: orderLinks(world, order),
  };
}

export function orderLinks(world: SimulatorWorld, { id, status }: Order): unknown[] {
  const self = `${world.origin}/v2/checkout/orders/${id}`;
  const action = { href: `${world.origin}/checkoutnow?token=${id}`, rel: "payer-action", method: "GET" };
  return [
    { href: self, rel: "self", method: "GET" },
    ...(status === "PAYER_ACTION_REQUIRED" ? [action] : [{ href: `${self}/capture`, rel: "capture", method: "POST" }]),
  ];
}

/** A capture as its own resource names its order. */
export function captureView(world: SimulatorWorld, order: Order): Record<string, unknown> {
  return { ...captureInOrder(world, order), supplementary_data: { related_ids: { order_id: order.id } } };
}

function captureInOrder(world: SimulatorWorld, order: Order): Record<string, unknown> {
  const { capture, amount } = order;
  if (capture === null) throw new Error("nothing was captured");
  const fee = feeOf(unitsOf(amount));
  const isTaken = capture.status !== "PENDING" && capture.status !== "DECLINED";
  return {
    id: capture.id,
    status: capture.status,
    ...(capture.status === "PENDING" ? { status_details: { reason: "ECHECK" } } : {}),
    amount,
    final_capture: true,
    custom_id: order.customId ?? undefined,
    invoice_id: order.invoiceId ?? undefined,
    ...(isTaken
      ? {
          seller_receivable_breakdown: {
            gross_amount: amount,
            paypal_fee: moneyOf(fee, amount.currency_code),
            net_amount: moneyOf(unitsOf(amount) - fee, amount.currency_code),
          },
        }
      : {}),
    create_time: capture.createTime,
    update_time: capture.updateTime,
    links: [
      { href: `${world.origin}/v2/payments/captures/${capture.id}`, rel: "self", method: "GET" },
      { href: `${world.origin}/v2/checkout/orders/${order.id}`, rel: "up", method: "GET" },
    ],
  };
}

/** 3.49 percent plus 49 of the smallest units, but never the whole amount. */
const feeOf = (units: number) => Math.min(units - 1, Math.round(units * 0.0349) + 49);

export function refundView(world: SimulatorWorld, order: Order, refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    status: refund.status,
    ...(refund.status === "PENDING" ? { status_details: { reason: "ECHECK" } } : {}),
    amount: refund.amount,
    invoice_id: refund.invoiceId ?? undefined,
    custom_id: refund.customId ?? undefined,
    note_to_payer: refund.note ?? undefined,
    create_time: refund.createTime,
    update_time: refund.createTime,
    links: [
      { href: `${world.origin}/v2/payments/refunds/${refund.id}`, rel: "self", method: "GET" },
      { href: `${world.origin}/v2/payments/captures/${order.capture?.id}`, rel: "up", method: "GET" },
    ],
  };
}

export function disputeView(order: Order, dispute: Dispute, account: Account): Record<string, unknown> {
  return {
    dispute_id: dispute.id,
    create_time: dispute.createTime,
    update_time: dispute.updateTime,
    disputed_transactions: [
      {
        buyer_transaction_id: order.id,
        seller_transaction_id: order.capture?.id,
        gross_amount: order.amount,
        custom: order.customId ?? undefined,
        seller: { merchant_id: account.merchantId },
      },
    ],
    reason: "MERCHANDISE_OR_SERVICE_NOT_RECEIVED",
    status: dispute.status,
    dispute_amount: order.amount,
    ...(dispute.outcome === null ? {} : { dispute_outcome: { outcome_code: dispute.outcome } }),
    dispute_life_cycle_stage: "CHARGEBACK",
    dispute_channel: "INTERNAL",
  };
}
