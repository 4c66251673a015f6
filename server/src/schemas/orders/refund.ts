import Type, { type Static } from "typebox";
import { type RefundRow, refundChannels, refundFailures, refundReasons, type refundView } from "#orders/index.ts";
import {
  amountIn,
  amountOut,
  currencyOut,
  flag,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  integer,
  oneOf,
  shape,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";

export type RefundShape = ReturnType<typeof refundView>;
export const refundStatuses = ["pending", "requires_action", "unknown", "succeeded", "failed"] as const;

export const refundSchema = shape(
  "Refund",
  "Money that goes back to a buyer, from what an order received or from what an exception held.",
  {
    id: idOf("rf", "The refund's ID."),
    object: oneOf(["refund"], "Always `refund`."),
    project_id: idOf("prj", "The project."),
    livemode: flag("False in the TEST environment."),
    order_id: textOrNull("The order; null for money without a known order."),
    exception_id: textOrNull("The exception that held the money. Such a refund doesn't count in the order's `amount_refunded_minor`."),
    payment_session_id: textOrNull("The payment that is refunded."),
    gateway: gatewayField("The gateway the money arrived through, and the wallet it's taken from."),
    method: oneOf(["gateway", "manual"], "`gateway`: the payment's provider pays it back. `manual`: someone paid it back and recorded it."),
    status: oneOf(
      refundStatuses,
      "`pending`: the provider is processing it, or is about to be asked to. `requires_action`: the buyer has to claim the money at the address in `next_action`. `unknown`: the provider's response was lost; Tillpost keeps checking with the provider. `succeeded`: the money was paid back; if the bank still returns it, the refund becomes `failed`. `failed`: the money is back in the wallet, or never left it.",
    ),
    amount_minor: amountOut("The amount in minor units."),
    currency: currencyOut("The currency."),
    reason: textOrNull("The reason."),
    note: textOrNull("A note."),
    channel: textOrNull(`How it was paid back: ${refundChannels.map((channel) => `\`${channel}\``).join(", ")}.`),
    paid_back_by: textOrNull("Who paid it back, if recorded."),
    paid_back_at: instantOrNull("When it was paid back."),
    external_transaction_id: textOrNull("The transfer number of the repayment.", { examples: ["4200002026112114300002"] }),
    asset_id: textOrNull("An image that shows the repayment."),
    asset_url: textOrNull("Shows that image. Works for 15 minutes."),
    gateway_refund_id: textOrNull("The provider's ID for it."),
    next_action: Type.Unsafe<RefundRow["next_action"]>({
      type: ["object", "null"],
      additionalProperties: true,
      description:
        'What the buyer has to do: `{type: "redirect", url}` is where they claim the money. Anyone who has the address can claim it.',
    }),
    failure_code: textOrNull(
      "Why it failed: the provider's code, `disputed` if a dispute took the money before the refund was requested, or `not_sent` or `returned` if someone marked it as failed.",
    ),
    failure_note: textOrNull("The note about the failure, or the provider's message."),
    transaction_id: textOrNull("The transaction that took the money out of the wallet."),
    created_by: text("Who requested or recorded it; `system` if it was made at the provider."),
    version: integer("Increases by one with every change."),
    succeeded_at: instantOrNull("When it was recorded, or when the provider reported success."),
    failed_at: instantOrNull("When it was marked as failed, or when the provider reported the failure."),
    created_at: instant("When it was requested or recorded."),
    updated_at: instant("When it was last updated."),
  },
);

const method = oneOf(
  ["gateway", "manual"],
  "`gateway`: the payment's provider pays it back, the usual method for money that came through one. `manual`: you have paid it back yourself and record it here.",
);

const details = {
  reason: Type.Optional(oneOf(refundReasons, "The reason.")),
  channel: Type.Optional(oneOf(refundChannels, "How it was paid back. Defaults to the way the money arrived.")),
  paid_back_by: Type.Optional(textOrNull("Who paid it back, if not the person who records it.", { maxLength: 200 })),
  paid_back_at: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      format: "date-time",
      description: "When it was paid back: up to 5 minutes from now and up to 400 days ago. Defaults to now.",
      examples: ["2026-11-21T09:00:00.000Z"],
    }),
  ),
  external_transaction_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The transfer number of the repayment.",
      examples: ["4200002026112114300002"],
    }),
  ),
  asset_id: Type.Optional(
    Type.String({ maxLength: 40, description: "An image that shows the repayment, uploaded with the purpose `payment_proof`." }),
  ),
};

export const refundIn = strict({
  amount_minor: Type.Optional(amountIn("The amount to refund. Defaults to everything that can still be refunded.")),
  method: Type.Optional(method),
  payment_session_id: Type.Optional(
    Type.String({ maxLength: 40, description: "The payment to refund, for an order that was paid in parts through several gateways." }),
  ),
  note: Type.Optional(textOrNull("A note, for the record.", { maxLength: 500 })),
  ...details,
});

export const heldRefundIn = strict(
  { method: Type.Optional(method), ...details },
  { description: "How the money is refunded, with `action: refund`." },
);

export const refundFailureIn = strict({
  failure_code: oneOf(refundFailures, "`not_sent`: the money was never sent. `returned`: it came back."),
  note: Type.Optional(textOrNull("A note, for the record.", { maxLength: 500 })),
});

/** The details as the operations expect them. */
export function readRefund<Body extends Pick<Static<typeof heldRefundIn>, "paid_back_at">>({ paid_back_at, ...body }: Body) {
  return { ...body, ...(paid_back_at === undefined ? {} : { paid_back_at: new Date(paid_back_at) }) };
}
