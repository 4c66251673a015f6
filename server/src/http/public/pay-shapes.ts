import Type, { type TUnsafe } from "typebox";
import type { PayView, ProofReceipt } from "#checkout/index.ts";
import { gatewayIn, idOf, instant, instantOrNull, oneOf, strict, textOrNull } from "#schemas/index.ts";

export const initiateIn = strict({ gateway: gatewayIn("GatewaySlug", "The payment method.") });
export const reportIn = strict({ gateway: Type.Optional(gatewayIn("PersonalGatewaySlug", "The payment method that was used.")) });
export const nothingIn = strict({});

const sessionShape = Type.Object({
  gateway: gatewayIn("GatewaySlug", "The chosen payment method."),
  method: Type.String({ description: "The payment method." }),
  kind: oneOf(["personal_qr", "gateway"], "`gateway`: the provider confirms the payment, so the buyer doesn't have to report it."),
  demo: Type.Boolean({ description: "Whether the provider is simulated, so that no real money is involved." }),
  leads_away: Type.Boolean({ description: "Whether the buyer pays on another page; `/pay/{token}/go` redirects them there." }),
  device: textOrNull(
    "The device a provider's payment was last started for. On another device, start it again: if necessary, a new payment is created.",
    {
      examples: ["phone"],
    },
  ),
  in_browser: Type.Boolean({ description: "Whether a buyer inside a wallet app would pay differently in their phone's own browser." }),
  status: Type.String({ description: "This payment's status.", examples: ["pending"] }),
  underpaid: Type.Boolean({ description: "Whether this payment failed because only a part of the amount arrived." }),
  outcome_unknown: Type.Boolean({ description: "Whether this payment expired before its provider reported whether it was paid." }),
  payable_amount_minor: Type.Integer({
    description: "The exact amount to pay; slightly less than the order's amount if payments are told apart by amount.",
    examples: [9900],
  }),
  remark_code: textOrNull("What to enter in the transfer's note."),
  payee_name: textOrNull("The name the wallet shows."),
  qr_payload: textOrNull("The receiving code's text."),
  instructions: Type.Record(Type.String(), Type.String(), { description: "The merchant's instructions, by language." }),
  expires_at: instantOrNull("Until when the code is shown to the buyer."),
});

const orderShape = Type.Object(
  {
    reference: Type.String({ description: "The merchant's reference for the order.", examples: ["INV-1001"] }),
    description: textOrNull("What the order is for."),
    amount_minor: Type.Integer({ description: "The order's amount.", examples: [9900] }),
    currency: Type.String({ description: "ISO 4217 code.", examples: ["CNY"] }),
    exponent: Type.Integer({ description: "The number of the currency's decimal places.", examples: [2] }),
    received_minor: Type.Integer({ description: "What has arrived so far.", examples: [0] }),
    rest_minor: Type.Integer({ description: "What is still to be paid.", examples: [9900] }),
    held_minor: Type.Integer({
      description: "For a canceled order: money that arrived for it and waits for the merchant's decision.",
      examples: [0],
    }),
    expires_at: instant("When the order expires."),
    refunded_minor: Type.Integer({ description: "How much of what arrived was refunded.", examples: [0] }),
    returned_minor: Type.Integer({
      description: "What was paid back but didn't reach the buyer: the merchant has it again.",
      examples: [0],
    }),
    has_receipt: Type.Boolean({ description: "True if there's a receipt to show." }),
    paid_at: instantOrNull("When the order was paid."),
    paid_late: Type.Boolean({ description: "True if the payment was confirmed after the order had expired." }),
    return_url: textOrNull("Where the buyer returns to."),
  },
  { description: "The order being paid." },
);

const pageShape = Type.Object(
  {
    object: oneOf(["payment_page"], "Always `payment_page`."),
    token: Type.String({ description: "The link's token." }),
    livemode: Type.Boolean({ description: "False on TEST pages, where no real money is involved." }),
    version: Type.String({ description: "Changes whenever what the page shows changes." }),
    locale: Type.String({ description: "The language the merchant asked for, or `auto`.", examples: ["auto"] }),
    state: oneOf(["choose", "pay", "checking", "paid", "expired", "revoked", "canceled", "failed"], "What the page shows to the buyer."),
    merchant: Type.Object(
      {
        name: Type.String({ description: "The name the buyer sees.", examples: ["Lantern Books"] }),
        logo_url: textOrNull("A signed address of the logo."),
        contact: textOrNull("Where to reach the merchant, as an address to open."),
      },
      { description: "Who is paid." },
    ),
    order: orderShape,
    refund_claims: Type.Array(
      Type.Object({
        amount_minor: Type.Integer({ description: "The amount.", examples: [9900] }),
        url: Type.String({
          description: "The page where the buyer claims it.",
          examples: ["https://btcpay.example.com/pull-payments/Qm7"],
        }),
      }),
      { description: "Refunds waiting for the buyer to say where the money should go." },
    ),
    channels: Type.Array(gatewayIn("GatewaySlug", "A payment method."), { description: "The payment methods available for this order." }),
    demo_channels: Type.Array(gatewayIn("GatewaySlug", "A payment method."), {
      description: "Those with a simulated provider; none in LIVE.",
    }),
    session: Type.Union([sessionShape, Type.Null()], { description: "The open payment, or the last one." }),
    rejection: Type.Union(
      [
        Type.Object({
          reason_code: Type.String({ description: "The reason.", examples: ["not_received"] }),
          note: textOrNull("The reviewer's note to the buyer."),
        }),
        Type.Null(),
      ],
      { description: "Why the last reported payment wasn't confirmed." },
    ),
    reported_at: instantOrNull("When the buyer reported the payment."),
    proof: Type.Union([Type.Object({ submitted_at: instant("When the proof was submitted.") }), Type.Null()], {
      description: "The proof waiting for review.",
    }),
    usual_review_minutes: Type.Union([Type.Integer(), Type.Null()], { description: "How many minutes a review usually takes." }),
    can_report: Type.Boolean({ description: "Whether the buyer can report a payment now." }),
    can_prove: Type.Boolean({ description: "Whether the buyer can submit a proof now." }),
    can_withdraw: Type.Boolean({
      description: "Whether the report can be withdrawn: no one has decided yet, and the order can still be paid.",
    }),
    simulate: Type.Boolean({ description: "Whether a payment can be simulated on this TEST page." }),
  },
  { description: "What the payment page shows." },
);

/** The schema serializes the response; the operation's own type describes the input. */
export const pageOut = pageShape as unknown as TUnsafe<PayView>;

export const proofOut = Type.Object(
  {
    id: idOf("vch", "The proof's ID."),
    object: oneOf(["voucher"], "Always `voucher`."),
    payment_session_id: idOf("ps", "The payment it belongs to."),
    status: oneOf(["submitted", "approved", "rejected", "superseded"], "The review's status."),
    transaction_reference: textOrNull("As the buyer entered it."),
    payer_name: textOrNull("As the buyer entered it."),
    note: textOrNull("As the buyer entered it."),
    created_at: instant("When it was received."),
  },
  { description: "A proof of payment, as its sender can see it." },
) as unknown as TUnsafe<ProofReceipt>;
