import Type from "typebox";
import type { linkView, OrderChange, OrderInput, orderView, voucherView } from "#orders/index.ts";
import { languages } from "#platform/index.ts";
import {
  amountIn,
  amountOut,
  currencyIn,
  currencyOut,
  type FieldsOf,
  flag,
  idOf,
  instant,
  instantOrNull,
  integer,
  oneOf,
  shape,
  shapeOrNull,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";
import { type PaymentSessionShape, paymentSessionFields } from "./payment-session.ts";
import type { RefundShape } from "./refund.ts";

type VoucherShape = ReturnType<typeof voucherView>;
type PaymentLinkShape = ReturnType<typeof linkView>;

/** An order in a response; the last fields are only included with `expand[]`. */
export type OrderShape = Awaited<ReturnType<typeof orderView>> & {
  payment_sessions?: PaymentSessionShape[];
  vouchers?: VoucherShape[];
  refunds?: RefundShape[];
};

export const orderStatuses = ["unpaid", "pending_verify", "paid", "failed", "expired", "canceled"] as const;
export const orderFlags = [
  "paid_late",
  "underpaid",
  "overpaid",
  "manually_verified",
  "auto_matched",
  "duplicate_payment",
  "payment_reversed",
  "disputed",
] as const;
export const orderFlagsOut = Type.Array(
  oneOf(
    orderFlags,
    "`payment_reversed`: the payment was booked by mistake and reversed, and nothing has replaced it. `disputed`: the buyer disputes the payment at their bank or the provider, or did and won.",
  ),
  {
    description: "Anything unusual about how it was paid.",
  },
);
export const orderExpansions = ["payment_sessions", "payment_link", "vouchers", "refunds"] as const;

const paymentLink = shapeOrNull<PaymentLinkShape>("The newest link to the hosted page.", {
  id: idOf("lnk", "The link's ID."),
  object: oneOf(["payment_link"], "Always `payment_link`."),
  token: text("The secret in the link's address.", ["pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe"]),
  url: text("Send the buyer here."),
  status: oneOf(["active", "paid", "expired", "revoked"], "Whether the link can be paid."),
  expires_at: instant("When it stops accepting payment."),
  created_at: instant("When it was issued."),
});

const customerOut = Type.Object(
  { name: textOrNull("Name."), email: textOrNull("Email address."), phone: textOrNull("Phone number.") },
  { additionalProperties: false, description: "The buyer, as far as you provided details." },
);

export const orderSchema = shape("Order", "An amount to be paid, with its payment link.", {
  id: idOf("ord", "The order's ID."),
  object: oneOf(["order"], "Always `order`."),
  project_id: idOf("prj", "The project the order belongs to."),
  livemode: flag("False in the TEST environment."),
  reference: text("Your own reference for the order; its ID if you gave none.", ["INV-1001"]),
  status: oneOf(orderStatuses, "The order's status."),
  flags: orderFlagsOut,
  version: integer("Increases by one with every change.", { examples: [1] }),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  amount_received_minor: amountOut("The amount booked as its payment; never more than the order's amount."),
  amount_held_minor: amountOut(
    "Money that arrived for the order but isn't part of `amount_received_minor`: part payments until the rest arrives, and anything beyond the order's amount.",
  ),
  amount_refunded_minor: amountOut("The part of `amount_received_minor` that was refunded: the sum of the order's successful refunds.", 0),
  amount_disputed_minor: amountOut(
    "The part of `amount_received_minor` that the provider took back for disputes that are open or lost. Together with refunds, never more than `amount_received_minor`.",
    0,
  ),
  description: textOrNull("What the buyer sees next to the amount."),
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values, included in every event of the order." }),
  customer: customerOut,
  return_url: textOrNull("Where the page sends the buyer after payment."),
  locale: text("The page's language; `auto` follows the browser.", ["auto"]),
  warnings: Type.Array(
    Type.Object(
      { code: oneOf(["no_payment_method"], "The warning's code."), message: text("A message for people.") },
      { description: "A warning." },
    ),
    {
      description:
        "What prevents an unpaid order from being paid. `no_payment_method`: the project has no payment method for the order's currency.",
    },
  ),
  payment_link: paymentLink,
  latest_payment_session: shapeOrNull<PaymentSessionShape>(
    "The current payment attempt: the open one, or the last that changed.",
    paymentSessionFields,
  ),
  failure_code: textOrNull("Why it ended without payment: `expired`, `canceled` or `proof_rejected`."),
  expires_at: instant("When it stops accepting payment."),
  paid_at: instantOrNull("When it was paid."),
  failed_at: instantOrNull("When it failed."),
  canceled_at: instantOrNull("When it was canceled."),
  claimed_at: instantOrNull(
    "When the buyer said they had paid, although the order was canceled. The order stays canceled. Null again once someone dismisses the claim.",
  ),
  created_at: instant("When it was created."),
  updated_at: instant("When it was last updated."),
  payment_sessions: Type.Optional(
    Type.Array(Type.Unsafe<PaymentSessionShape>({ $ref: "PaymentSession#" }), {
      description: "All payment attempts, with `expand[]=payment_sessions`.",
    }),
  ),
  vouchers: Type.Optional(
    Type.Array(Type.Unsafe<VoucherShape>({ $ref: "Voucher#" }), { description: "All proofs, with `expand[]=vouchers`." }),
  ),
  refunds: Type.Optional(
    Type.Array(Type.Unsafe<RefundShape>({ $ref: "Refund#" }), { description: "All refunds, with `expand[]=refunds`." }),
  ),
});

const printable = "^[^\\u0000-\\u001f\\u007f]*$";
const nullable = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

export const metadataIn = Type.Unsafe<Record<string, string>>({
  type: "object",
  description: "Up to 50 keys of up to 40 characters, with values of up to 500 characters, 16 KB in total.",
  maxProperties: 50,
  propertyNames: { maxLength: 40, minLength: 1 },
  additionalProperties: { type: "string", maxLength: 500 },
  examples: [{ subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" }],
});

export const customerIn = strict(
  {
    name: nullable("Name.", { maxLength: 200 }),
    email: nullable("Email address.", { maxLength: 254, format: "email", examples: ["ada@example.com"] }),
    phone: nullable("Phone number.", { maxLength: 32 }),
  },
  { description: "The buyer." },
);

const changeFields = {
  description: nullable("What the buyer sees next to the amount.", { maxLength: 500 }),
  metadata: Type.Optional(metadataIn),
  customer: Type.Optional(customerIn),
} satisfies FieldsOf<Omit<OrderChange, "order_id" | "if_version">>;

export const orderChangeIn = strict(changeFields);

const orderFields = {
  amount_minor: amountIn("The amount in the currency's minor units: 9900 is 99.00 CNY."),
  currency: currencyIn("ISO 4217 code. Lowercase is accepted."),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: printable,
      description: "Your own reference for the order, unique among open and paid orders.",
      examples: ["INV-1001"],
    }),
  ),
  description: nullable("What the buyer sees next to the amount.", { maxLength: 500 }),
  metadata: Type.Optional(metadataIn),
  customer: Type.Optional(customerIn),
  return_url: nullable("Where the page sends the buyer after payment: https, or http on localhost in TEST.", {
    maxLength: 2048,
    examples: ["https://shop.example/thanks"],
  }),
  locale: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      pattern: "^(auto|[a-z]{2}(-[A-Za-z]{2,4})?)$",
      description: `The page's language: \`auto\`, or one of ${languages.map(({ tag }) => `\`${tag}\``).join(", ")}, also with a region as in \`zh-CN\`.`,
      examples: ["auto"],
      "x-default": "auto",
    }),
  ),
  expires_in: Type.Optional(
    integer("How many seconds until the order expires. Defaults to one day.", {
      minimum: 300,
      maximum: 2_592_000,
      examples: [86_400],
      "x-default": 86_400,
    }),
  ),
} satisfies FieldsOf<OrderInput>;

export const orderIn = strict(orderFields);
