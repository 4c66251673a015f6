import Type from "typebox";
import {
  amountOut,
  currencyOut,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  integer,
  oneOf,
  shapeOf,
  text,
  textOrNull,
} from "../fields/fields.ts";
import { disputeFacts } from "../orders/dispute.ts";
import { orderFlagsOut, orderStatuses } from "../orders/order.ts";

/** Parts of the payloads about orders. They may grow: receivers must ignore unknown fields. */
export const eventOrder = shapeOf("EventOrder", "The order as every event carries it.", {
  id: idOf("ord", "The order's ID."),
  reference: text("Your own reference for the order.", ["INV-1001"]),
  status: oneOf(orderStatuses, "The order's status."),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  paid_at: instantOrNull("When it was paid."),
  flags: orderFlagsOut,
  version: integer("Increases by one with every change: of two events, the one with the higher version is newer.", { examples: [2] }),
  failure_code: Type.Optional(text("Why it ended without payment, once it did: `expired`, `canceled` or `proof_rejected`.", ["expired"])),
  failed_at: Type.Optional(instant("When it ended without payment.")),
});

export const eventSession = shapeOf("EventPaymentSession", "A payment attempt as events carry it.", {
  id: idOf("ps", "The session's ID."),
  gateway: gatewayField("The gateway it's paid through."),
  method: text("The payment method."),
  status: text("Its status.", ["pending"]),
  amount_minor: amountOut("The order's amount."),
  payable_amount_minor: amountOut("The amount the buyer is asked to send."),
  currency: currencyOut("The currency."),
  failure_code: textOrNull("Why it failed."),
});

export const eventVoucher = shapeOf("EventVoucher", "A buyer's proof of payment as events carry it.", {
  id: idOf("vch", "The proof's ID."),
  status: text("Its status.", ["submitted"]),
  transaction_reference: textOrNull("The transfer's number."),
  payer_name: textOrNull("The payer's name."),
  asset_id: textOrNull("Its image."),
  risk_flags: Type.Array(Type.String(), { description: "What a reviewer should check." }),
  created_at: instant("When it was submitted."),
});

export const eventException = shapeOf("EventPaymentException", "An exception as events carry it.", {
  id: idOf("exc", "The exception's ID."),
  kind: text("The kind of exception.", ["late"]),
  status: text("`open` or `resolved`.", ["open"]),
  gateway: gatewayField("The gateway the money arrived through."),
  amount_minor: amountOut("The amount."),
  currency: currencyOut("The currency."),
  order_id: textOrNull("The order it refers to."),
  receipt_id: textOrNull("The receipt that reported it."),
  detail: Type.Unsafe<unknown>({ description: "What was detected." }),
  resolution: textOrNull("How it was resolved."),
});

export const eventRefund = shapeOf("EventRefund", "A refund as events carry it.", {
  id: idOf("rf", "The refund's ID."),
  status: text("Its status.", ["succeeded"]),
  method: text("`gateway`: the payment's provider paid it back. `manual`: someone paid it back and recorded it.", ["manual"]),
  gateway: gatewayField("The gateway the money arrived through."),
  amount_minor: amountOut("The amount."),
  currency: currencyOut("The currency."),
  order_id: textOrNull("The order."),
  exception_id: textOrNull("The exception that held the money."),
  payment_session_id: textOrNull("The payment that was refunded."),
  reason: textOrNull("The reason."),
  note: textOrNull("A note."),
  channel: textOrNull("How it was paid back."),
  paid_back_at: instantOrNull("When it was paid back."),
  external_transaction_id: textOrNull("The transfer number of the repayment."),
  gateway_refund_id: textOrNull("The provider's ID for it."),
  failure_code: textOrNull("Why it failed."),
  transaction_id: textOrNull("The transaction that took the money out of the wallet."),
  created_at: instant("When it was recorded."),
});

export const eventDispute = shapeOf("EventDispute", "A dispute as events carry it.", {
  id: idOf("dsp", "The dispute's ID."),
  ...disputeFacts,
});

const orNull = (name: string, description: string) =>
  Type.Unsafe<object | null>({ anyOf: [{ $ref: `${name}#` }, { type: "null" }], description });
const order = Type.Unsafe<object>({ $ref: "EventOrder#" });
const refund = Type.Unsafe<object>({ $ref: "EventRefund#" });
const dispute = Type.Unsafe<object>({ $ref: "EventDispute#" });
const disputed = { dispute, order: orNull("EventOrder", "The order, if known.") };
const session = Type.Unsafe<object>({ $ref: "EventPaymentSession#" });

/** The fields of `data` next to `project_id`, by event. */
export const orderPayloads = {
  "order.created": { order },
  "order.paid": { order },
  "order.failed": { order },
  "order.expired": { order },
  "order.payment_pending_verify": { order, payment_session: session, voucher: orNull("EventVoucher", "The proof, if there is one.") },
  "order.verification_rejected": {
    order,
    reason_code: text("Why the payment was rejected.", ["not_received"]),
    note: textOrNull("The reviewer's note."),
    voucher_id: textOrNull("The proof that was rejected."),
  },
  "payment.session.created": { order, payment_session: session },
  "payment.session.failed": { order, payment_session: session },
  "payment.exception": { order: Type.Optional(order), payment_exception: Type.Unsafe<object>({ $ref: "EventPaymentException#" }) },
  "payment.reversed": {
    order,
    cause: oneOf(["not_received", "other_order"], "The cause: the money never arrived, or was for another order."),
    note: text("The note of the person who reversed it.", ["The transfer in the image is from last month"]),
    payments: Type.Array(
      Type.Object({
        gateway: gatewayField("The gateway it was booked for."),
        external_transaction_id: text("The transfer's number.", ["4200002026112014300001"]),
        amount_minor: amountOut("The amount."),
        currency: currencyOut("The currency."),
      }),
      { description: "The transfers that made up the order's payment." },
    ),
    payment_exception_ids: Type.Array(Type.String(), { description: "The exceptions that now hold the money that was for another order." }),
  },
  "refund.succeeded": { refund, order: orNull("EventOrder", "The order, if known.") },
  "refund.failed": { refund, order: orNull("EventOrder", "The order, if known.") },
  "dispute.opened": disputed,
  "dispute.won": disputed,
  "dispute.lost": disputed,
  "transaction.completed": {
    transaction: Type.Unsafe<object>({ $ref: "Transaction#" }),
    order: orNull("EventOrder", "The order, if the money is for one."),
  },
};
