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
  order_id: Type.Optional(
    idOf("ord", "The order to pay. If omitted, an order is created from the other fields, or found by its reference."),
  ),
  reference,
  amount_minor: Type.Optional(amount_minor),
  currency: Type.Optional(currency),
  description,
  metadata,
  return_url,
  customer,
});

export const gatewayPaymentSchema = shape("GatewayPayment", "One attempt to pay an order through a gateway, as the provider records it.", {
  id: idOf("gp", "The payment's ID."),
  object: oneOf(["gateway_payment"], "Always `gateway_payment`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  gateway: gatewayField("The gateway."),
  reference: text("The order's reference.", ["INV-1001"]),
  order_id: idOf("ord", "The order it's for."),
  payment_session_id: idOf("ps", "The payment session. Its ID is the payment's reference at the provider."),
  account: idOf("gc", "The account with the provider that receives the money."),
  demo: flag("Whether the provider is simulated, so that no real money is involved."),
  status: oneOf(
    ["pending", "requires_action", "processing", "succeeded", "failed", "canceled", "expired"],
    "The status. `requires_action`: the buyer can pay through `next_action`. `pending`: it was requested, but the provider hasn't responded, or its code or page has expired: request it again for a new one. `processing`: the provider is processing it.",
  ),
  amount_minor: amountOut("The amount the buyer pays."),
  currency: currencyOut("The currency."),
  next_action: nextAction,
  gateway_transaction_id: textOrNull("The provider's ID for the transaction, or for the payment as long as there is no transaction."),
  gateway_payment_id: textOrNull(
    "The provider's ID for the payment, as searchable in the provider's dashboard; null until the provider has responded.",
  ),
  gateway_status: textOrNull("The provider's own status for it, as last reported."),
  fee: shapeOrNull<{ amount_minor: number; currency: string }>(
    "The provider's fee; null if the provider doesn't report it, or hasn't yet.",
    {
      amount_minor: amountOut("The amount.", 320),
      currency: currencyOut("The currency, which can differ from the payment's."),
    },
  ),
  paid_at: instantOrNull("When the buyer paid, according to the provider."),
  failure_code: textOrNull(
    "Why it failed: the provider's code, or `mismatch`, `not_created`, `refunded`, `underpaid`. `outcome_unknown`: it expired because the provider didn't report its result for days.",
  ),
  failure_message: textOrNull("The provider's message about why it failed."),
  expires_at: instant("When it stops accepting payment."),
  created_at: instant("When it was started."),
  updated_at: instant("When it was last updated."),
});
