import Type from "typebox";
import type { voucherView } from "#orders/index.ts";
import { amountIn, flag, idOf, instant, instantOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { gatewayIn } from "../fields/gateway.ts";

export type VoucherShape = ReturnType<typeof voucherView>;

const amountOrNull = Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The amount that the payer says was sent." });
const reference = { maxLength: 100 };

export const voucherSchema = shape("Voucher", "A proof of payment that waits for, or had, a reviewer's word.", {
  id: idOf("vch", "The proof's id."),
  object: oneOf(["voucher"], "Always `voucher`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order that was paid."),
  payment_session_id: idOf("ps", "The attempt that it proves."),
  status: oneOf(["submitted", "approved", "rejected", "superseded"], "What became of it."),
  asset_id: textOrNull("The picture."),
  asset_url: textOrNull("Shows the picture for 15 minutes."),
  transaction_reference: textOrNull("The transfer's number, as the payer typed it."),
  payer_name: textOrNull("Who paid, as the payer typed it."),
  paid_at: instantOrNull("When the payer says that they paid."),
  amount_minor: amountOrNull,
  note: textOrNull("A word from the payer."),
  sha256: textOrNull("Hash of the picture as it was sent."),
  risk_flags: Type.Array(text("A particularity."), {
    description: "What a reviewer should look at: `duplicate_image`, `duplicate_reference`, `amount_mismatch`, `time_mismatch`.",
  }),
  reviewed_by: textOrNull("Who decided."),
  reviewed_at: instantOrNull("When."),
  rejection_reason: textOrNull("Why it was rejected."),
  created_at: instant("When it was submitted."),
  updated_at: instant("When it was last changed."),
});

const optionalText = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

/** A proof's fields next to its picture, in a form as in JSON. */
const voucherFields = {
  gateway: Type.Optional(gatewayIn("PersonalGatewaySlug", "Which channel the money went through; needed when no payment is open.")),
  transaction_reference: optionalText("The transfer's number.", reference),
  payer_name: optionalText("Who paid.", { maxLength: 200 }),
  paid_at: Type.Optional(
    Type.Unsafe<string>({ type: "string", format: "date-time", description: "When it was paid.", examples: ["2026-11-20T14:30:00.000Z"] }),
  ),
  amount_minor: Type.Optional(amountIn("What was sent, in minor units.")),
  note: optionalText("A word to the reviewer.", { maxLength: 500 }),
};

export const voucherIn = strict({ ...voucherFields, asset_id: optionalText("A picture uploaded as `payment_proof`.", { maxLength: 40 }) });
export const voucherForm = strict(voucherFields);

export const voucherFormDocument = strict({
  file: Type.Optional(Type.Unsafe<string>({ type: "string", format: "binary", description: "A PNG, JPEG or WebP picture of at most 5 MB and 25 megapixels." })),
  ...voucherFields,
});
