import Type from "typebox";
import { amountOut, currencyOut, gatewayField, idOf, instant, instantOrNull, integer, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { disputeFacts } from "../orders/dispute.ts";
import { orderFlagsOut, orderStatuses } from "../orders/order.ts";

/** Parts of the payloads about orders. They may grow: receivers must ignore unknown fields. */
export const eventOrder = shapeOf("EventOrder", "The order as every event carries it.", {
  id: idOf("ord", "The order's ID."),
  reference: text("The merchant's own name for it.", ["INV-1001"]),
  status: oneOf(orderStatuses, "Where the order stands."),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  paid_at: instantOrNull("When it was paid."),
  flags: orderFlagsOut,
  version: integer("Grows by one with each change: of two events the higher is the newer.", { examples: [2] }),
  failure_code: Type.Optional(text("Why it ended without payment, once it did: `expired`, `canceled` or `proof_rejected`.", ["expired"])),
  failed_at: Type.Optional(instant("When it ended without payment.")),
});

export const eventSession = shapeOf("EventPaymentSession", "An attempt to pay, as events carry it.", {
  id: idOf("ps", "The session's ID."),
  gateway: gatewayField("How it is paid."),
  method: text("Name of the payment method."),
  status: text("Where it stands.", ["pending"]),
  amount_minor: amountOut("The order's amount."),
  payable_amount_minor: amountOut("What the buyer is asked to send."),
  currency: currencyOut("The currency."),
  failure_code: textOrNull("Why it failed."),
});

export const eventVoucher = shapeOf("EventVoucher", "A buyer's proof of payment, as events carry it.", {
  id: idOf("vch", "The proof's ID."),
  status: text("Where it stands.", ["submitted"]),
  transaction_reference: textOrNull("The transfer's number."),
  payer_name: textOrNull("Who paid."),
  asset_id: textOrNull("Its picture."),
  risk_flags: Type.Array(Type.String(), { description: "What a reviewer should look at." }),
  created_at: instant("When it was submitted."),
});

export const eventException = shapeOf("EventPaymentException", "Money that settled no order by itself, as events carry it.", {
  id: idOf("exc", "The exception's ID."),
  kind: text("What is special about it.", ["late"]),
  status: text("`open` or `resolved`.", ["open"]),
  gateway: gatewayField("Where the money came in."),
  amount_minor: amountOut("How much."),
  currency: currencyOut("The currency."),
  order_id: textOrNull("The order that it names."),
  receipt_id: textOrNull("The receipt that it came with."),
  detail: Type.Unsafe<unknown>({ description: "What was noticed." }),
  resolution: textOrNull("What a person decided."),
});

export const eventRefund = shapeOf("EventRefund", "Money that goes back to a buyer, as events carry it.", {
  id: idOf("rf", "The refund's ID."),
  status: text("Where it stands.", ["succeeded"]),
  method: text("`gateway`: the payment's provider paid it back. `manual`: somebody did and recorded that.", ["manual"]),
  gateway: gatewayField("Where the money had come in."),
  amount_minor: amountOut("How much."),
  currency: currencyOut("The currency."),
  order_id: textOrNull("The order."),
  exception_id: textOrNull("The exception that held the money."),
  payment_session_id: textOrNull("The payment whose money went back."),
  reason: textOrNull("Why."),
  note: textOrNull("In words."),
  channel: textOrNull("How it was paid back."),
  paid_back_at: instantOrNull("When it was paid back."),
  external_transaction_id: textOrNull("The number of the transfer that paid it back."),
  gateway_refund_id: textOrNull("The provider's own id of it."),
  failure_code: textOrNull("Why it failed."),
  transaction_id: textOrNull("The transaction that took the money out of the books."),
  created_at: instant("When it was recorded."),
});

export const eventDispute = shapeOf("EventDispute", "A payment that its buyer disputes, as events carry it.", {
  id: idOf("dsp", "The dispute's ID."),
  ...disputeFacts,
});

const orNull = (name: string, description: string) => Type.Unsafe<object | null>({ anyOf: [{ $ref: `${name}#` }, { type: "null" }], description });
const order = Type.Unsafe<object>({ $ref: "EventOrder#" });
const refund = Type.Unsafe<object>({ $ref: "EventRefund#" });
const dispute = Type.Unsafe<object>({ $ref: "EventDispute#" });
const disputed = { dispute, order: orNull("EventOrder", "The order, where one is known.") };
const session = Type.Unsafe<object>({ $ref: "EventPaymentSession#" });

/** The fields of `data` next to `project_id`, by event. */
export const orderPayloads = {
  "order.created": { order },
  "order.paid": { order },
  "order.failed": { order },
  "order.expired": { order },
  "order.payment_pending_verify": { order, payment_session: session, voucher: orNull("EventVoucher", "The proof, where there is one.") },
  "order.verification_rejected": {
    order,
    reason_code: text("Why the payment was rejected.", ["not_received"]),
    note: textOrNull("What the reviewer wrote."),
    voucher_id: textOrNull("The proof that was rejected."),
  },
  "payment.session.created": { order, payment_session: session },
  "payment.session.failed": { order, payment_session: session },
  "payment.exception": { order: Type.Optional(order), payment_exception: Type.Unsafe<object>({ $ref: "EventPaymentException#" }) },
  "payment.reversed": {
    order,
    cause: oneOf(["not_received", "other_order"], "Why: the money never came, or was another order's."),
    note: text("What the person who reversed it wrote.", ["The transfer in the picture is of last month"]),
    payments: Type.Array(
      Type.Object({
        gateway: gatewayField("Where it was booked."),
        external_transaction_id: text("The transfer's number.", ["4200002026112014300001"]),
        amount_minor: amountOut("How much."),
        currency: currencyOut("The currency."),
      }),
      { description: "The transfers that the order's payment was made of." },
    ),
    payment_exception_ids: Type.Array(Type.String(), { description: "The exceptions that keep money of another order since." }),
  },
  "refund.succeeded": { refund, order: orNull("EventOrder", "The order, where one is known.") },
  "refund.failed": { refund, order: orNull("EventOrder", "The order, where one is known.") },
  "dispute.opened": disputed,
  "dispute.won": disputed,
  "dispute.lost": disputed,
  "transaction.completed": {
    transaction: Type.Unsafe<object>({ $ref: "Transaction#" }),
    order: orNull("EventOrder", "The order, where the money is for one."),
  },
};
