import Type, { type Static } from "typebox";
import type { ReviewInput } from "#reconciliation/index.ts";
import { amountIn, flag, integer, oneOf, strict, textOrNull } from "../fields/fields.ts";
import { gatewayIn } from "../fields/gateway.ts";

export const newLinkIn = strict({
  expires_in: Type.Optional(
    integer("How many seconds from now until the order expires.", { minimum: 300, maximum: 2_592_000, examples: [86_400] }),
  ),
});

export const reviewIn = strict({
  decision: oneOf(["approve", "reject"], "Whether the money arrived."),
  payment_session_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        "The reported payment that you looked at. If another one waits by then, the decision is refused with `order_state_conflict` and the reason `payment_changed`.",
    }),
  ),
  voucher_id: Type.Optional(
    textOrNull("The proof that you looked at, or null if there was none. Refused in the same way if another one waits.", { maxLength: 40 }),
  ),
  gateway: Type.Optional(
    gatewayIn(
      "PersonalGatewaySlug",
      "Which receiving code the money went to. Required if the order's payment was never started; refused if it was started with another.",
    ),
  ),
  received_amount_minor: Type.Optional(
    amountIn(
      "The amount that arrived, if it isn't the amount asked for. Any amount from the payable amount to the order's amount counts as paid in full.",
    ),
  ),
  confirm_shortfall_minor: Type.Optional(
    amountIn("The exact missing amount, to accept less than the payable amount as full payment. The order stays flagged `underpaid`."),
  ),
  confirm_excess_minor: Type.Optional(
    amountIn("The exact excess amount, if more than the order's amount arrived. The excess becomes an exception."),
  ),
  external_transaction_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The transfer number, so that the same transfer in a statement isn't counted again.",
    }),
  ),
  paid_at: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      format: "date-time",
      description: "When the money was sent: up to 5 minutes from now and up to 400 days ago.",
      examples: ["2026-11-20T14:30:00.000Z"],
    }),
  ),
  reason_code: Type.Optional(
    oneOf(["not_received", "amount_mismatch", "duplicate_proof", "unreadable", "fraud"], "Why it's rejected. The buyer sees this."),
  ),
  final: Type.Optional(flag("`true` ends the order instead of returning it to the buyer.")),
  note: Type.Optional(textOrNull("A note to the buyer.", { maxLength: 500 })),
});

export const dismissIn = strict({
  reason: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "The reason, for the record.",
    examples: ["No such transfer in the account"],
  }),
});

export const reversalIn = strict({
  cause: oneOf(
    ["not_received", "other_order"],
    "`not_received`: the money never arrived, and is removed from the books. `other_order`: it was for another order, and becomes an exception.",
  ),
  note: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "The reason, for the record.",
    examples: ["The transfer in the image is from last month"],
  }),
});

export const simulationIn = strict({
  outcome: Type.Optional(
    oneOf(
      ["paid", "failed", "pending_verify", "underpaid", "overpaid", "late", "duplicate_callback", "expire"],
      "What happens. Defaults to `paid`.",
    ),
  ),
  amount_minor: Type.Optional(amountIn("The amount that arrives.")),
});

/** The only field, which starts a payment. */
export const paymentIn = strict({ gateway: gatewayIn("GatewaySlug", "The payment method: a receiving code or a gateway.") });

/** The review as the operation expects it. */
export function readReview({ paid_at, ...body }: Static<typeof reviewIn>): Omit<ReviewInput, "order_id"> {
  return { ...body, ...(paid_at === undefined ? {} : { paid_at: new Date(paid_at) }) };
}
