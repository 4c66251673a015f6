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

export const exceptionSchema = shape("PaymentException", "Money that arrived but settled no order by itself.", {
  id: idOf("exc", "The exception's id."),
  object: oneOf(["payment_exception"], "Always `payment_exception`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  kind: oneOf(exceptionKinds, "What is wrong with it."),
  status: oneOf(["open", "resolved"], "Whether somebody decided about it."),
  order_id: textOrNull("The order it seems to be for."),
  reference: textOrNull("That order's reference."),
  payment_session_id: textOrNull("The attempt it seems to belong to."),
  receipt_id: textOrNull("The receipt that told of it."),
  gateway: gatewayField("Where the money is."),
  external_id: text("The transfer's number at the gateway."),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  transaction_id: textOrNull("The transaction that holds the money; null where it is in no books, as with a code that came with another amount."),
  detail: Type.Object({}, { additionalProperties: true, description: "What a person needs to know to decide." }),
  resolution: textOrNull(
    "What was decided: `accept`, `refund`, `ignore`, `applied` where it paid its order together with the rest, or `released` where it was taken back out of the books.",
  ),
  resolution_note: textOrNull("Why."),
  resolved_order_id: textOrNull("The order that the money was given to."),
  resolved_by: textOrNull("Who decided."),
  resolved_at: instantOrNull("When."),
  version: integer("Grows by one with each change."),
  created_at: instant("When it was noticed."),
  updated_at: instant("When it was last changed."),
});

export const resolutionIn = strict({
  action: oneOf(
    ["accept", "refund", "ignore"],
    "`accept`: the money pays the order, which stays flagged `underpaid` when some is missing, or is kept where the order is paid already. `refund`: it goes back, whole, through the provider that it came through, or you have paid it back yourself; a refund is recorded. `ignore`: it stays in suspense; what is in no books yet is set aside with its receipt.",
  ),
  order_id: Type.Optional(Type.String({ maxLength: 40, description: "The order that the money is for, when it is not the exception's own." })),
  confirm_shortfall_minor: Type.Optional(
    amountIn("What is missing, when the money is accepted for an order although more is missing than the merchant tolerates. It has to be exactly that."),
  ),
  refund: Type.Optional(heldRefundIn),
  note: Type.Optional(textOrNull("Why, for whoever asks later.", { maxLength: 500 })),
});

/** The resolution as the operation expects it. */
export function readResolution({ refund, ...body }: Static<typeof resolutionIn>) {
  return { ...body, ...(refund === undefined ? {} : { refund: readRefund(refund) }) };
}
