import Type, { type Static } from "typebox";
import type { ReviewInput } from "#orders/index.ts";
import { amountIn, flag, integer, oneOf, strict, textOrNull } from "../fields/fields.ts";
import { gatewayIn } from "../fields/gateway.ts";

export const newLinkIn = strict({
  expires_in: Type.Optional(integer("Seconds until the order expires, counted anew.", { minimum: 300, maximum: 2_592_000, examples: [86_400] })),
});

export const reviewIn = strict({
  decision: oneOf(["approve", "reject"], "Whether the money arrived."),
  gateway: Type.Optional(
    gatewayIn(
      "PersonalGatewaySlug",
      "Which receiving code the money went to. Required for an order whose payment was never started; refused where it was started by another.",
    ),
  ),
  received_amount_minor: Type.Optional(
    amountIn("What arrived, when it isn't what was asked for. Anything from the payable amount to the order's amount pays exactly."),
  ),
  confirm_shortfall_minor: Type.Optional(
    amountIn(
      "What is missing, when less than the payable amount is accepted as the whole. It has to be exactly that, and the order stays flagged `underpaid`.",
    ),
  ),
  confirm_excess_minor: Type.Optional(
    amountIn("What is too much, when more than the order's amount arrived. It has to be exactly that; it waits in the exceptions."),
  ),
  external_transaction_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "The transfer's number, so that a statement is not counted again." }),
  ),
  paid_at: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      format: "date-time",
      description: "When the money was sent: at most 5 minutes from now and 400 days ago.",
      examples: ["2026-11-20T14:30:00.000Z"],
    }),
  ),
  reason_code: Type.Optional(oneOf(["not_received", "amount_mismatch", "duplicate_proof", "unreadable", "fraud"], "Why it is rejected; the buyer sees it.")),
  final: Type.Optional(flag("True ends the order instead of returning it to the buyer.")),
  note: Type.Optional(textOrNull("A word to the buyer.", { maxLength: 500 })),
});

export const dismissIn = strict({
  reason: Type.String({ minLength: 1, maxLength: 200, description: "Why, for whoever asks later.", examples: ["No such transfer in the account"] }),
});

export const reversalIn = strict({
  cause: oneOf(
    ["not_received", "other_order"],
    "`not_received`: the money never came, and leaves the books. `other_order`: it was another order's, and waits under an exception.",
  ),
  note: Type.String({ minLength: 1, maxLength: 500, description: "Why, for whoever asks later.", examples: ["The transfer in the picture is of last month"] }),
});

export const simulationIn = strict({
  outcome: Type.Optional(
    oneOf(["paid", "failed", "pending_verify", "underpaid", "overpaid", "late", "duplicate_callback", "expire"], "What happens; `paid` when absent."),
  ),
  amount_minor: Type.Optional(amountIn("How much arrives.")),
});

/** The only field, which starts a payment. */
export const paymentIn = strict({ gateway: gatewayIn("GatewaySlug", "Which way the buyer pays: a receiving code, or a gateway.") });

/** The review as the operation expects it. */
export function readReview({ paid_at, ...body }: Static<typeof reviewIn>): Omit<ReviewInput, "order_id"> {
  return { ...body, ...(paid_at === undefined ? {} : { paid_at: new Date(paid_at) }) };
}
