import Type from "typebox";
import { personalMethods } from "#collection/index.ts";
import type { sessionView } from "#orders/index.ts";
import { amountOut, currencyOut, flag, gatewayOut, idOf, instant, instantOrNull, oneOf, shape, text, textOrNull } from "../schemas/fields.ts";

export type PaymentSessionShape = ReturnType<typeof sessionView>;

const nextAction = Type.Unsafe<PaymentSessionShape["next_action"]>({
  type: ["object", "null"],
  description: "What the buyer does next; null when there is nothing to do any more.",
  required: ["type"],
  additionalProperties: false,
  properties: {
    type: { type: "string", enum: ["display_qr"], description: "Show the code so that the buyer can scan or save it." },
    qr_payload: { type: ["string", "null"], description: "The code's text; null when only a picture of it exists." },
    qr_svg_url: { type: ["string", "null"], description: "The code as a drawing." },
    qr_png_url: { type: "string", description: "The code as a picture, which a phone can save and scan." },
    instructions: { type: "object", additionalProperties: { type: "string" }, description: "The merchant's words for the buyer, by language tag." },
  },
});

/** Fields of a payment session, wherever one is shown. */
export const paymentSessionFields = {
  id: idOf("ps", "The session's id."),
  object: oneOf(["payment_session"], "Always `payment_session`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order that is paid."),
  gateway: gatewayOut("The gateway."),
  channel: text("The collection profile behind a personal-QR gateway.", [personalMethods[0].channel]),
  status: oneOf(["pending", "processing", "pending_verify", "succeeded", "failed", "expired", "canceled"], "Where the payment stands."),
  amount_minor: amountOut("What the order asks for."),
  payable_amount_minor: amountOut("What the buyer is asked to pay; lower by a little when amounts tell payments apart."),
  currency: currencyOut("The currency."),
  matching_mode: oneOf(["exact", "remark", "unique_amount"], "How a payment is told from others."),
  remark_code: textOrNull("What the buyer writes into the transfer's note, when payments are matched by it."),
  flags: Type.Array(
    oneOf(["ambiguous_amount"], "`ambiguous_amount`: no amount of its own was free, so that only the code in the note tells this payment from others."),
    {
      description: "What is unusual about it.",
    },
  ),
  next_action: nextAction,
  expires_at: instant("Until when the code is offered."),
  reported_at: instantOrNull("When the buyer said that they paid."),
  verified_at: instantOrNull("When the payment was confirmed."),
  failure_code: textOrNull("Why it failed."),
  created_at: instant("When it was started."),
  updated_at: instant("When it was last changed."),
};

export const paymentSessionSchema = shape("PaymentSession", "One attempt to pay an order through one gateway.", paymentSessionFields);
