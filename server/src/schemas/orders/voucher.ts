import Type from "typebox";
import type { VoucherInput, voucherView } from "#orders/index.ts";
import { amountIn, type FieldsOf, flag, idOf, instant, instantOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { gatewayIn } from "../fields/gateway.ts";

export type VoucherShape = ReturnType<typeof voucherView>;

const amountOrNull = Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The amount the payer says they sent." });
const reference = { maxLength: 100 };

export const voucherSchema = shape("Voucher", "A proof of payment, which a reviewer approves or rejects.", {
  id: idOf("vch", "The proof's ID."),
  object: oneOf(["voucher"], "Always `voucher`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order it's for."),
  payment_session_id: idOf("ps", "The payment attempt it proves."),
  status: oneOf(["submitted", "approved", "rejected", "superseded"], "The proof's status."),
  asset_id: textOrNull("The image."),
  asset_url: textOrNull("Shows the image. Works for 15 minutes."),
  transaction_reference: textOrNull("The transfer number, as entered by the payer."),
  payer_name: textOrNull("The payer's name, as entered by the payer."),
  paid_at: instantOrNull("When the payer says they paid."),
  amount_minor: amountOrNull,
  note: textOrNull("A note from the payer."),
  sha256: textOrNull("The hash of the image as it was uploaded."),
  risk_flags: Type.Array(text("A flag."), {
    description: "What a reviewer should check: `duplicate_image`, `duplicate_reference`, `amount_mismatch`, `time_mismatch`.",
  }),
  reviewed_by: textOrNull("Who decided."),
  reviewed_at: instantOrNull("When it was reviewed."),
  rejection_reason: textOrNull("Why it was rejected."),
  created_at: instant("When it was submitted."),
  updated_at: instant("When it was last updated."),
});

const optionalText = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

/** A proof's fields next to its picture, in a form as in JSON. */
const voucherFields = {
  gateway: Type.Optional(gatewayIn("PersonalGatewaySlug", "The channel the money went through. Required if no payment is open.")),
  transaction_reference: optionalText("The transfer's number.", reference),
  payer_name: optionalText("The payer's name.", { maxLength: 200 }),
  paid_at: Type.Optional(
    Type.Unsafe<string>({ type: "string", format: "date-time", description: "When it was paid.", examples: ["2026-11-20T14:30:00.000Z"] }),
  ),
  amount_minor: Type.Optional(amountIn("The amount sent, in minor units.")),
  note: optionalText("A note to the reviewer.", { maxLength: 500 }),
};

const jsonFields = {
  ...voucherFields,
  asset_id: optionalText("An image uploaded as `payment_proof`.", { maxLength: 40 }),
} satisfies FieldsOf<Omit<VoucherInput, "order_id" | "picture">>;

export const voucherIn = strict(jsonFields);
export const voucherForm = strict(voucherFields);

export const voucherFormDocument = strict({
  file: Type.Optional(
    Type.Unsafe<string>({ type: "string", format: "binary", description: "A PNG, JPEG or WebP image of up to 5 MB and 25 megapixels." }),
  ),
  ...voucherFields,
});
