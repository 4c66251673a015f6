import Type, { type Static } from "typebox";
import type { exceptionView } from "#orders/index.ts";
import {
  amountIn,
  amountOut,
  currencyOut,
  flag,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  integer,
  oneOf,
  shape,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";
import { heldRefundIn, readRefund } from "./refund.ts";

export type ExceptionShape = ReturnType<typeof exceptionView>;
export const exceptionKinds = ["late", "duplicate", "underpaid", "overpaid", "unmatched", "mismatch"] as const;

export const exceptionSchema = shape("PaymentException", "Money that doesn't match an open order and needs a decision.", {
  id: idOf("exc", "The exception's ID."),
  object: oneOf(["payment_exception"], "Always `payment_exception`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  kind: oneOf(exceptionKinds, "The kind of exception."),
  status: oneOf(["open", "resolved"], "Whether it has been resolved."),
  order_id: textOrNull("The order it appears to be for."),
  reference: textOrNull("That order's reference."),
  payment_session_id: textOrNull("The payment attempt it appears to belong to."),
  receipt_id: textOrNull("The receipt that reported it."),
  gateway: gatewayField("The gateway where the money is."),
  external_id: text("The transfer number at the gateway."),
  amount_minor: amountOut("The amount in minor units; 0 if it isn't known, such as for a line of a provider's list that can't be read."),
  currency: currencyOut("The currency."),
  transaction_id: textOrNull(
    "The transaction that holds the money; null if the money isn't booked, such as for a code that arrived with a different amount.",
  ),
  detail: Type.Object({}, { additionalProperties: true, description: "What you need to know to decide." }),
  resolution: textOrNull(
    "The resolution: `accept`, `refund`, `ignore`, `applied` if it paid its order together with the rest, or `released` if it was removed from the books.",
  ),
  resolution_note: textOrNull("The reason."),
  resolved_order_id: textOrNull("The order the money was assigned to."),
  resolved_by: textOrNull("Who decided."),
  resolved_at: instantOrNull("When it was resolved."),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was detected."),
  updated_at: instant("When it was last updated."),
});

export const resolutionIn = strict({
  action: oneOf(
    ["accept", "refund", "ignore"],
    "`accept`: the money pays the order, which stays flagged `underpaid` if some is missing; if the order is already paid, you keep the money. `refund`: all of it is refunded through the provider it came through, or you have paid it back yourself; a refund is recorded. `ignore`: the money stays in the wallet but pays no order; if it isn't booked yet, it's set aside with its receipt.",
  ),
  order_id: Type.Optional(Type.String({ maxLength: 40, description: "The order the money is for, if it isn't the exception's order." })),
  confirm_shortfall_minor: Type.Optional(
    amountIn("The exact missing amount, to accept the money for an order although more is missing than the merchant's tolerance."),
  ),
  refund: Type.Optional(heldRefundIn),
  note: Type.Optional(textOrNull("The reason, for the record.", { maxLength: 500 })),
});

/** The resolution as the operation expects it. */
export function readResolution({ refund, ...body }: Static<typeof resolutionIn>) {
  return { ...body, ...(refund === undefined ? {} : { refund: readRefund(refund) }) };
}
