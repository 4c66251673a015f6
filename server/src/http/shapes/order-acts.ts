import Type from "typebox";
import { amountIn, flag, integer, oneOf, strict, textOrNull } from "../schemas/fields.ts";

export const linkIn = strict({
  expires_in: Type.Optional(integer("Seconds until the order expires, counted anew.", { minimum: 300, maximum: 2_592_000, examples: [86_400] })),
});

export const reviewIn = strict({
  decision: oneOf(["approve", "reject"], "Whether the money arrived."),
  received_amount_minor: Type.Optional(amountIn("What really arrived, when it is not what was asked for.")),
  external_transaction_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "The transfer's number, so that a statement is not counted again." }),
  ),
  reason_code: Type.Optional(oneOf(["not_received", "amount_mismatch", "duplicate_proof", "unreadable", "fraud"], "Why it is rejected; the buyer sees it.")),
  final: Type.Optional(flag("True ends the order instead of returning it to the buyer.")),
  note: Type.Optional(textOrNull("A word to the buyer.", { maxLength: 500 })),
});

export const simulationIn = strict({
  outcome: Type.Optional(
    oneOf(["paid", "failed", "pending_verify", "underpaid", "overpaid", "late", "duplicate_callback", "expire"], "What happens; `paid` when absent."),
  ),
  amount_minor: Type.Optional(amountIn("How much arrives.")),
});

/** The one field that starts a personal-QR payment; the profile's name is a frequent slip. */
export const paymentIn = strict({
  gateway: Type.Unsafe<"wechatpay" | "alipay">({
    type: "string",
    enum: ["wechatpay", "alipay"],
    description: "Which receiving code the buyer pays to.",
    examples: ["wechatpay"],
    "x-sentence": "must be wechatpay or alipay (wechat is the name of the collection profile behind wechatpay)",
  }),
});
