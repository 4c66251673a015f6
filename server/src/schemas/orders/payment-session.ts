import Type, { type TSchema } from "typebox";
import { personalMethods } from "#collection/index.ts";
import type { sessionView } from "#orders/index.ts";
import {
  amountOut,
  currencyOut,
  flag,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  oneOf,
  shape,
  text,
  textOrNull,
} from "../fields/fields.ts";

export type PaymentSessionShape = ReturnType<typeof sessionView>;

export const nextAction = Type.Unsafe<PaymentSessionShape["next_action"]>({
  description:
    "What the buyer does next; null if there's nothing left to do, and once the code or page has expired: start the payment again for a new one. Receiving codes use `display_qr`; gateways can use any of them.",
  anyOf: [
    actionOf("display_qr", "Show the code so that the buyer can scan or save it.", {
      qr_payload: textOrNull("The code's text; null if there's only an image of it."),
      qr_svg_url: textOrNull("The code as an SVG."),
      qr_png_url: text("The code as a PNG, which a phone can save and scan."),
      instructions: Type.Record(Type.String(), Type.String(), { description: "Your instructions for the buyer, by language tag." }),
    }),
    actionOf("redirect", "Redirect the buyer to the gateway's page.", { url: text("The page's address.") }),
    actionOf("form", "Post a form to the gateway.", {
      action: text("The address to post the form to."),
      fields: Type.Record(Type.String(), Type.String(), { description: "The form's hidden fields." }),
    }),
    actionOf("wechat_jsapi", "Open the payment inside WeChat's browser.", {
      params: Type.Record(Type.String(), Type.String(), { description: "The parameters for WeChat's `getBrandWCPayRequest`." }),
    }),
    { type: "null" },
  ],
});

function actionOf(type: string, description: string, properties: Record<string, TSchema>): TSchema {
  return Type.Object({ type: oneOf([type], description), ...properties }, { additionalProperties: false, description });
}

const matchingModes = ["exact", "remark", "unique_amount"] as const;

const methodData = Type.Unsafe<PaymentSessionShape["method_data"]>({
  description: "Details specific to this kind of payment method.",
  anyOf: [
    Type.Object(
      {
        type: oneOf(["personal_qr"], "Your own receiving code."),
        payee_name: textOrNull("The name the buyer's wallet shows."),
        matching_mode: oneOf(matchingModes, "How its payments are told apart."),
        remark_code: textOrNull("What the buyer enters in the transfer's note, if payments are matched by it."),
      },
      { additionalProperties: false, description: "A payment to a receiving code." },
    ),
    Type.Object({ type: oneOf(["gateway"], "A provider.") }, { additionalProperties: false, description: "A payment through a provider." }),
  ],
});

/** Fields of a payment session, wherever one is shown. */
export const paymentSessionFields = {
  id: idOf("ps", "The session's ID."),
  object: oneOf(["payment_session"], "Always `payment_session`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order it's for."),
  gateway: gatewayField("The gateway."),
  method: text("The payment method.", [personalMethods[0].name]),
  method_data: methodData,
  account: textOrNull(
    "The account that receives the money: `channel:account` for a receiving code, the gateway account's ID for a gateway; null if unknown.",
    {
      examples: [`${personalMethods[0].channel}:main`],
    },
  ),
  demo: flag("Whether the provider is simulated, so that no real money is involved."),
  channel: textOrNull("The receiving code's collection profile; null for other gateways.", { examples: [personalMethods[0].channel] }),
  status: oneOf(["pending", "processing", "pending_verify", "succeeded", "failed", "expired", "canceled"], "The payment's status."),
  amount_minor: amountOut("The order's amount due."),
  payable_amount_minor: amountOut("The amount the buyer is asked to pay; slightly lower if payments are told apart by amount."),
  currency: currencyOut("The currency."),
  matching_mode: Type.Unsafe<PaymentSessionShape["matching_mode"]>({
    type: ["string", "null"],
    enum: [...matchingModes, null],
    description: "How a receiving code's payments are told apart; null for other gateways.",
  }),
  remark_code: textOrNull("What the buyer enters in the transfer's note, if payments are matched by it."),
  flags: Type.Array(
    oneOf(
      ["ambiguous_amount"],
      "`ambiguous_amount`: no unique amount was free, so only the code in the note tells this payment apart from others.",
    ),
    {
      description: "Anything unusual about it.",
    },
  ),
  next_action: nextAction,
  expires_at: instant("Until when the code is offered to the buyer."),
  reported_at: instantOrNull("When the buyer reported the payment."),
  verified_at: instantOrNull("When the payment was confirmed."),
  failure_code: textOrNull("Why it failed."),
  created_at: instant("When it was started."),
  updated_at: instant("When it was last updated."),
};

export const paymentSessionSchema = shape("PaymentSession", "One attempt to pay an order through one gateway.", paymentSessionFields);
