import Type from "typebox";
import type { gatewayPaymentView } from "#orders/index.ts";
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
  shapeOrNull,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";
import { orderIn } from "./order.ts";
import { nextAction } from "./payment-session.ts";

export type GatewayPaymentShape = ReturnType<typeof gatewayPaymentView>;

const { reference, amount_minor, currency, description, metadata, return_url, customer } = orderIn.properties;

/** The operation checks which of the two forms it has: an order's id, or the fields of a new order. */
export const gatewayPaymentIn = strict({
  order_id: Type.Optional(idOf("ord", "The order that is to be paid. Without it, an order is made of the other fields, or found by its reference.")),
  reference,
  amount_minor: Type.Optional(amount_minor),
  currency: Type.Optional(currency),
  description,
  metadata,
  return_url,
  customer,
});

export const gatewayPaymentSchema = shape("GatewayPayment", "One attempt to pay an order through a gateway, as the provider has it.", {
  id: idOf("gp", "The payment's id."),
  object: oneOf(["gateway_payment"], "Always `gateway_payment`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  gateway: gatewayField("The gateway."),
  reference: text("The order's reference.", ["INV-1001"]),
  order_id: idOf("ord", "The order that is paid."),
  payment_session_id: idOf("ps", "The payment session. Its id is the payment's reference at the provider."),
  account: idOf("gc", "The account with the provider that takes the money."),
  demo: flag("Whether the provider is simulated, so that no money moves."),
  status: oneOf(
    ["pending", "requires_action", "processing", "succeeded", "failed", "canceled", "expired"],
    "Where it stands. `requires_action`: the buyer can pay it by `next_action`. `pending`: it was asked for, and the provider's answer is missing. `processing`: the provider has it under way.",
  ),
  amount_minor: amountOut("What the buyer pays."),
  currency: currencyOut("The currency."),
  next_action: nextAction,
  gateway_transaction_id: textOrNull("The provider's own id of the money, or of the payment while there is none."),
  gateway_payment_id: textOrNull("The provider's own id of the payment, as its dashboard finds it; null until the provider has answered."),
  gateway_status: textOrNull("The provider's own word for where it stands, as it was last heard."),
  fee: shapeOrNull<{ amount_minor: number; currency: string }>("What the provider keeps of it; null where the provider doesn't tell, or not yet.", {
    amount_minor: amountOut("The amount.", 320),
    currency: currencyOut("The currency, which can be another one than the payment's."),
  }),
  paid_at: instantOrNull("When the buyer paid, by the provider's clock."),
  failure_code: textOrNull("Why it failed: the provider's code, or `mismatch`, `not_created`, `underpaid`."),
  failure_message: textOrNull("Why it failed, in the provider's words."),
  expires_at: instant("Until when it can be paid."),
  created_at: instant("When it was started."),
  updated_at: instant("When it was last changed."),
});
