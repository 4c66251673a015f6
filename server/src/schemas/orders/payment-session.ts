import Type, { type TSchema } from "typebox";
import { personalMethods } from "#collection/index.ts";
import type { sessionView } from "#orders/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instant, instantOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type PaymentSessionShape = ReturnType<typeof sessionView>;

export const nextAction = Type.Unsafe<PaymentSessionShape["next_action"]>({
  description: "What the buyer does next; null when there is nothing to do any more. Receiving codes have `display_qr`; a gateway has any of them.",
  anyOf: [
    actionOf("display_qr", "Show the code so that the buyer can scan or save it.", {
      qr_payload: textOrNull("The code's text; null when only a picture of it exists."),
      qr_svg_url: textOrNull("The code as a drawing."),
      qr_png_url: text("The code as a picture, which a phone can save and scan."),
      instructions: Type.Record(Type.String(), Type.String(), { description: "The merchant's words for the buyer, by language tag." }),
    }),
    actionOf("redirect", "Lead the buyer to a page of the gateway.", { url: text("The page's address.") }),
    actionOf("form", "Post a form to the gateway.", {
      action: text("Where the form goes."),
      fields: Type.Record(Type.String(), Type.String(), { description: "Its hidden fields." }),
    }),
    actionOf("wechat_jsapi", "Open the payment inside WeChat's browser.", {
      params: Type.Record(Type.String(), Type.String(), { description: "What WeChat's `getBrandWCPayRequest` is called with." }),
    }),
    { type: "null" },
  ],
});

function actionOf(type: string, description: string, properties: Record<string, TSchema>): TSchema {
  return Type.Object({ type: oneOf([type], description), ...properties }, { additionalProperties: false, description });
}

const matchingModes = ["exact", "remark", "unique_amount"] as const;

const methodData = Type.Unsafe<PaymentSessionShape["method_data"]>({
  description: "What belongs to this kind of payment method alone.",
  anyOf: [
    Type.Object(
      {
        type: oneOf(["personal_qr"], "The merchant's own receiving code."),
        payee_name: textOrNull("The name that the buyer's wallet will show."),
        matching_mode: oneOf(matchingModes, "How a payment is told from others."),
        remark_code: textOrNull("What the buyer writes into the transfer's note, when payments are matched by it."),
      },
      { additionalProperties: false, description: "A payment to a receiving code." },
    ),
    Type.Object({ type: oneOf(["gateway"], "A provider.") }, { additionalProperties: false, description: "A payment through a provider." }),
  ],
});

/** Fields of a payment session, wherever one is shown. */
export const paymentSessionFields = {
  id: idOf("ps", "The session's id."),
  object: oneOf(["payment_session"], "Always `payment_session`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order that is paid."),
  gateway: gatewayField("The gateway."),
  method: text("Name of the payment method.", [personalMethods[0].name]),
  method_data: methodData,
  account: textOrNull(
    "The account that takes the money: a receiving code's as `channel:account`, a gateway's by the id of its credential; null where it isn't known.",
    {
      examples: [`${personalMethods[0].channel}:main`],
    },
  ),
  demo: flag("Whether its provider is simulated, so that no money moves."),
  channel: textOrNull("The collection profile behind a receiving code; null for other gateways.", { examples: [personalMethods[0].channel] }),
  status: oneOf(["pending", "processing", "pending_verify", "succeeded", "failed", "expired", "canceled"], "Where the payment stands."),
  amount_minor: amountOut("What the order asks for."),
  payable_amount_minor: amountOut("What the buyer is asked to pay; lower by a little when amounts tell payments apart."),
  currency: currencyOut("The currency."),
  matching_mode: Type.Unsafe<PaymentSessionShape["matching_mode"]>({
    type: ["string", "null"],
    enum: [...matchingModes, null],
    description: "How a payment to a receiving code is told from others; null for other gateways.",
  }),
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
