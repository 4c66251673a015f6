import Type, { type TUnsafe } from "typebox";
import type { PayView, ProofReceipt } from "#checkout/index.ts";
import { gatewayIn, idOf, instant, instantOrNull, oneOf, strict, textOrNull } from "#schemas/index.ts";

export const initiateIn = strict({ gateway: gatewayIn("GatewaySlug", "The way to pay.") });
export const reportIn = strict({ gateway: Type.Optional(gatewayIn("PersonalGatewaySlug", "The way that was paid.")) });
export const nothingIn = strict({});

const sessionShape = Type.Object({
  gateway: gatewayIn("GatewaySlug", "The chosen way to pay."),
  method: Type.String({ description: "Name of the payment method." }),
  kind: oneOf(["personal_qr", "gateway"], "`gateway`: a provider says whether it is paid, and nothing has to be reported."),
  demo: Type.Boolean({ description: "Whether the provider is simulated, so that no money moves." }),
  leads_away: Type.Boolean({ description: "Whether the buyer pays elsewhere; `/pay/{token}/go` leads them there." }),
  device: textOrNull("The device that a provider's payment was last opened for. On another one, start it again: it is opened anew where it has to be.", {
    examples: ["phone"],
  }),
  in_browser: Type.Boolean({ description: "Whether a buyer inside a wallet's app would pay in another way in their phone's own browser." }),
  status: Type.String({ description: "Where this payment stands.", examples: ["pending"] }),
  payable_amount_minor: Type.Integer({ description: "What to pay exactly; with amount matching a little less than the order.", examples: [9900] }),
  remark_code: textOrNull("What to write into the transfer's note."),
  payee_name: textOrNull("The name that the wallet will show."),
  qr_payload: textOrNull("The text of the receiving code."),
  instructions: Type.Record(Type.String(), Type.String(), { description: "The merchant's own words, by language." }),
  expires_at: instantOrNull("Until when the code is shown."),
});

const orderShape = Type.Object(
  {
    reference: Type.String({ description: "The merchant's name for the order.", examples: ["INV-1001"] }),
    description: textOrNull("What the order is for."),
    amount_minor: Type.Integer({ description: "The order's amount.", examples: [9900] }),
    currency: Type.String({ description: "ISO 4217 code.", examples: ["CNY"] }),
    exponent: Type.Integer({ description: "Decimals of the currency.", examples: [2] }),
    received_minor: Type.Integer({ description: "What has arrived so far.", examples: [0] }),
    rest_minor: Type.Integer({ description: "What is still to be paid.", examples: [9900] }),
    held_minor: Type.Integer({ description: "Of a canceled order: money that arrived for it and waits for the merchant's decision.", examples: [0] }),
    expires_at: instant("Until when the order can be paid."),
    refunded_minor: Type.Integer({ description: "What went back of what had arrived.", examples: [0] }),
    returned_minor: Type.Integer({ description: "What was paid back and did not reach the buyer: the merchant has it again.", examples: [0] }),
    has_receipt: Type.Boolean({ description: "True when there is a receipt to show." }),
    paid_at: instantOrNull("When the order was paid."),
    paid_late: Type.Boolean({ description: "True when the payment was confirmed after the time had run out." }),
    return_url: textOrNull("Where the buyer goes back to."),
  },
  { description: "What the buyer pays for." },
);

const pageShape = Type.Object(
  {
    object: oneOf(["payment_page"], "Always `payment_page`."),
    token: Type.String({ description: "The link's token." }),
    livemode: Type.Boolean({ description: "False on TEST pages, where no money moves." }),
    version: Type.String({ description: "Differs whenever what the page shows has changed." }),
    locale: Type.String({ description: "Language that the merchant asked for, or `auto`.", examples: ["auto"] }),
    state: oneOf(["choose", "pay", "checking", "paid", "expired", "revoked", "canceled", "failed"], "Where the buyer stands."),
    merchant: Type.Object(
      {
        name: Type.String({ description: "The name that the buyer knows.", examples: ["Lantern Books"] }),
        logo_url: textOrNull("A signed address of the logo."),
        contact: textOrNull("Where to reach the merchant, as an address to open."),
      },
      { description: "Who is paid." },
    ),
    order: orderShape,
    refund_claims: Type.Array(
      Type.Object({
        amount_minor: Type.Integer({ description: "How much.", examples: [9900] }),
        url: Type.String({ description: "The page on which the buyer claims it.", examples: ["https://btcpay.example.com/pull-payments/Qm7"] }),
      }),
      { description: "Refunds that wait for the buyer to say where the money should go." },
    ),
    channels: Type.Array(gatewayIn("GatewaySlug", "A way to pay."), { description: "Ways to pay that are open for this order." }),
    demo_channels: Type.Array(gatewayIn("GatewaySlug", "A way to pay."), { description: "Those of them whose provider is simulated; none in LIVE." }),
    session: Type.Union([sessionShape, Type.Null()], { description: "The payment that is open, or the last one." }),
    rejection: Type.Union(
      [
        Type.Object({ reason_code: Type.String({ description: "Why.", examples: ["not_received"] }), note: textOrNull("The reviewer's words to the buyer.") }),
        Type.Null(),
      ],
      { description: "Why the last reported payment was not confirmed." },
    ),
    reported_at: instantOrNull("When the buyer said that it was paid."),
    proof: Type.Union([Type.Object({ submitted_at: instant("When the proof came.") }), Type.Null()], { description: "The proof that waits for review." }),
    usual_review_minutes: Type.Union([Type.Integer(), Type.Null()], { description: "The usual minutes until a report is checked." }),
    can_report: Type.Boolean({ description: "Whether `report` makes sense now." }),
    can_prove: Type.Boolean({ description: "Whether a proof can be sent now." }),
    can_withdraw: Type.Boolean({ description: "Whether the report can be withdrawn: nobody has decided yet, and the order can still be paid." }),
    simulate: Type.Boolean({ description: "Whether this is a TEST page with a payment to simulate." }),
  },
  { description: "What a payment's page shows, and nothing more." },
);

/** The schema serializes the response; the operation's own type describes the input. */
export const pageOut = pageShape as unknown as TUnsafe<PayView>;

export const proofOut = Type.Object(
  {
    id: idOf("vch", "The proof's id."),
    object: oneOf(["voucher"], "Always `voucher`."),
    payment_session_id: idOf("ps", "The payment that it belongs to."),
    status: oneOf(["submitted", "approved", "rejected", "superseded"], "Where the review stands."),
    transaction_reference: textOrNull("As the buyer gave it."),
    payer_name: textOrNull("As the buyer gave it."),
    note: textOrNull("As the buyer gave it."),
    created_at: instant("When it came."),
  },
  { description: "A proof of payment, as its sender may see it." },
) as unknown as TUnsafe<ProofReceipt>;
