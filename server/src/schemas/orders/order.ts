import Type from "typebox";
import type { linkView, orderView, voucherView } from "#orders/index.ts";
import { languages } from "#platform/index.ts";
import {
  amountIn,
  amountOut,
  currencyIn,
  currencyOut,
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
    "A particularity. `payment_reversed`: its payment was booked by mistake and reversed, and nothing has replaced it. `disputed`: its buyer disputes the payment at their bank or provider, or did so and was given the money.",
  ),
  {
    description: "What is particular about how it was paid.",
  },
);
export const orderExpansions = ["payment_sessions", "payment_link", "vouchers", "refunds"] as const;

const paymentLink = shapeOrNull<PaymentLinkShape>("The newest link to the hosted page.", {
  id: idOf("lnk", "The link's id."),
  object: oneOf(["payment_link"], "Always `payment_link`."),
  token: text("The secret in the link's address.", ["pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe"]),
  url: text("Send the buyer here."),
  status: oneOf(["active", "paid", "expired", "revoked"], "Whether the link can be paid."),
  expires_at: instant("Until when it can be paid."),
  created_at: instant("When it was issued."),
});

const customerOut = Type.Object(
  { name: textOrNull("Name."), email: textOrNull("E-mail address."), phone: textOrNull("Telephone number.") },
  { additionalProperties: false, description: "Who pays, as far as the merchant said." },
);

export const orderSchema = shape("Order", "Something to be paid, with its payment link.", {
  id: idOf("ord", "The order's id."),
  object: oneOf(["order"], "Always `order`."),
  project_id: idOf("prj", "The project that the order belongs to."),
  livemode: flag("False in the TEST environment."),
  reference: text("The merchant's own name for it; the id when none was given.", ["INV-1001"]),
  status: oneOf(orderStatuses, "Where the order stands."),
  flags: orderFlagsOut,
  version: integer("Grows by one with each change.", { examples: [1] }),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  amount_received_minor: amountOut("What was booked as its payment; never more than its amount."),
  amount_held_minor: amountOut(
    "What arrived for it and isn't part of `amount_received_minor`: part payments until the rest comes, and what is beyond its amount.",
  ),
  amount_refunded_minor: amountOut("What went back of `amount_received_minor`: the sum of its refunds that succeeded.", 0),
  amount_disputed_minor: amountOut(
    "What a provider took back of `amount_received_minor` for disputes that are open or lost. Together with refunds never more than that.",
    0,
  ),
  description: textOrNull("What the buyer sees beside the amount."),
  metadata: Type.Record(Type.String(), Type.String(), { description: "The merchant's own keys and values; they come with every event of the order." }),
  customer: customerOut,
  return_url: textOrNull("Where the page leads after payment."),
  locale: text("Language of the page; `auto` leaves it to the browser.", ["auto"]),
  warnings: Type.Array(
    Type.Object({ code: oneOf(["no_payment_method"], "What it is about."), message: text("A sentence for people.") }, { description: "A warning." }),
    { description: "What keeps an unpaid order from being paid: `no_payment_method` where the project has no way to pay in its currency." },
  ),
  payment_link: paymentLink,
  latest_payment_session: shapeOrNull<PaymentSessionShape>("The newest attempt to pay.", paymentSessionFields),
  failure_code: textOrNull("Why it ended without payment: `expired`, `canceled` or `proof_rejected`."),
  expires_at: instant("Until when it can be paid."),
  paid_at: instantOrNull("When it was paid."),
  failed_at: instantOrNull("When it failed."),
  canceled_at: instantOrNull("When it was canceled."),
  claimed_at: instantOrNull(
    "When the buyer said that they had paid it although it was canceled. The order stays canceled. Null again once somebody dismissed the claim.",
  ),
  created_at: instant("When it was created."),
  updated_at: instant("When it was last changed."),
  payment_sessions: Type.Optional(
    Type.Array(Type.Unsafe<PaymentSessionShape>({ $ref: "PaymentSession#" }), { description: "All attempts to pay, with `expand[]=payment_sessions`." }),
  ),
  vouchers: Type.Optional(Type.Array(Type.Unsafe<VoucherShape>({ $ref: "Voucher#" }), { description: "All proofs, with `expand[]=vouchers`." })),
  refunds: Type.Optional(Type.Array(Type.Unsafe<RefundShape>({ $ref: "Refund#" }), { description: "All refunds, with `expand[]=refunds`." })),
});

const printable = "^[^\\u0000-\\u001f\\u007f]*$";
const nullable = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

export const metadataIn = Type.Unsafe<Record<string, string>>({
  type: "object",
  description: "Up to 50 keys of at most 40 characters with texts of at most 500, 16 KB in all.",
  maxProperties: 50,
  propertyNames: { maxLength: 40, minLength: 1 },
  additionalProperties: { type: "string", maxLength: 500 },
  examples: [{ subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" }],
});

export const customerIn = strict(
  {
    name: nullable("Name.", { maxLength: 200 }),
    email: nullable("E-mail address.", { maxLength: 254, format: "email", examples: ["ada@example.com"] }),
    phone: nullable("Telephone number.", { maxLength: 32 }),
  },
  { description: "Who pays." },
);

export const orderChangeIn = strict({
  description: nullable("What the buyer sees beside the amount.", { maxLength: 500 }),
  metadata: Type.Optional(metadataIn),
  customer: Type.Optional(customerIn),
});

export const orderIn = strict({
  amount_minor: amountIn("The amount in minor units of the currency: 9900 is 99.00 CNY."),
  currency: currencyIn("ISO 4217 code; lower case is accepted."),
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: printable,
      description: "Your own name for the order, unique among those that are open or paid.",
      examples: ["INV-1001"],
    }),
  ),
  description: nullable("What the buyer sees beside the amount.", { maxLength: 500 }),
  metadata: Type.Optional(metadataIn),
  customer: Type.Optional(customerIn),
  return_url: nullable("Where the page leads after payment: https, or http on localhost in TEST.", {
    maxLength: 2048,
    examples: ["https://shop.example/thanks"],
  }),
  locale: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      pattern: "^(auto|[a-z]{2}(-[A-Za-z]{2,4})?)$",
      description: `Language of the page: \`auto\`, or one of ${languages.map(({ tag }) => `\`${tag}\``).join(", ")}, also with a region as in \`zh-CN\`.`,
      examples: ["auto"],
      "x-default": "auto",
    }),
  ),
  expires_in: Type.Optional(
    integer("Seconds until the order expires; a day when absent.", { minimum: 300, maximum: 2_592_000, examples: [86_400], "x-default": 86_400 }),
  ),
});
