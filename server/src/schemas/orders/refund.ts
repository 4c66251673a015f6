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

export const refundSchema = shape("Refund", "Money that goes back to a buyer: of what an order received, or of what an exception held.", {
  id: idOf("rf", "The refund's id."),
  object: oneOf(["refund"], "Always `refund`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: textOrNull("The order; null for money that no order is known of."),
  exception_id: textOrNull("The exception that held the money. Such a refund isn't part of the order's `amount_refunded_minor`."),
  payment_session_id: textOrNull("The payment whose money goes back."),
  gateway: gatewayField("Where the money had come in, and the wallet that it is taken out of."),
  method: oneOf(["gateway", "manual"], "`gateway`: the payment's provider pays it back. `manual`: somebody paid it back and recorded that."),
  status: oneOf(
    refundStatuses,
    "`pending`: the provider has it, or is about to be asked. `requires_action`: the buyer has to claim the money, at the address in `next_action`. `unknown`: the provider's answer was lost; it is asked until it says. `succeeded`: the money went back; banks may still return it, which makes it `failed`. `failed`: it is in the wallet again, or never left.",
  ),
  amount_minor: amountOut("The amount in minor units."),
  currency: currencyOut("The currency."),
  reason: textOrNull("Why."),
  note: textOrNull("In words."),
  channel: textOrNull(`How it was paid back: ${refundChannels.map((channel) => `\`${channel}\``).join(", ")}.`),
  paid_back_by: textOrNull("Who paid it back, where somebody said so."),
  paid_back_at: instantOrNull("When it was paid back."),
  external_transaction_id: textOrNull("The number of the transfer that paid it back.", { examples: ["4200002026112114300002"] }),
  asset_id: textOrNull("A picture that shows it."),
  asset_url: textOrNull("Shows that picture for 15 minutes."),
  gateway_refund_id: textOrNull("The provider's own id of it."),
  next_action: Type.Unsafe<RefundRow["next_action"]>({
    type: ["object", "null"],
    additionalProperties: true,
    description: 'What the buyer has to do: `{type: "redirect", url}` leads to where they claim the money. Whoever has the address can claim it.',
  }),
  failure_code: textOrNull("Why it failed: the provider's own code, or `not_sent` or `returned` where somebody marked it as failed."),
  failure_note: textOrNull("What was noted about that, or the provider's message."),
  transaction_id: textOrNull("The transaction that took the money out of the books."),
  created_by: text("Who asked for it or recorded it; `system` for one that was made at the provider itself."),
  version: integer("Grows by one with each change."),
  succeeded_at: instantOrNull("When it was recorded as done, or the provider said so."),
  failed_at: instantOrNull("When it was marked as failed, or the provider said so."),
  created_at: instant("When it was asked for or recorded."),
  updated_at: instant("When it was last changed."),
});

const method = oneOf(
  ["gateway", "manual"],
  "`gateway`: the payment's provider pays it back, which is usual where the money came through one. `manual`: you have paid it back, and record it here.",
);

const details = {
  reason: Type.Optional(oneOf(refundReasons, "Why.")),
  channel: Type.Optional(oneOf(refundChannels, "How it was paid back. As the money had come, when absent.")),
  paid_back_by: Type.Optional(textOrNull("Who paid it back, when that is somebody else than who records it.", { maxLength: 200 })),
  paid_back_at: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      format: "date-time",
      description: "When it was paid back: at most 5 minutes from now and 400 days ago. Now, when absent.",
      examples: ["2026-11-21T09:00:00.000Z"],
    }),
  ),
  external_transaction_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "The number of the transfer that paid it back.", examples: ["4200002026112114300002"] }),
  ),
  asset_id: Type.Optional(Type.String({ maxLength: 40, description: "A picture that shows it, uploaded with the purpose `payment_proof`." })),
};

export const refundIn = strict({
  amount_minor: Type.Optional(amountIn("How much goes back. All that is left to refund, when absent.")),
  method: Type.Optional(method),
  payment_session_id: Type.Optional(
    Type.String({ maxLength: 40, description: "Which payment's money goes back, for an order that was paid in parts through several gateways." }),
  ),
  note: Type.Optional(textOrNull("In words, for whoever asks later.", { maxLength: 500 })),
  ...details,
});

export const heldRefundIn = strict({ method: Type.Optional(method), ...details }, { description: "How the money goes back, with `action: refund`." });

export const refundFailureIn = strict({
  failure_code: oneOf(refundFailures, "`not_sent`: the money never left. `returned`: it came back."),
  note: Type.Optional(textOrNull("In words, for whoever asks later.", { maxLength: 500 })),
});

/** The details as the operations expect them. */
export function readRefund<Body extends Pick<Static<typeof heldRefundIn>, "paid_back_at">>({ paid_back_at, ...body }: Body) {
  return { ...body, ...(paid_back_at === undefined ? {} : { paid_back_at: new Date(paid_back_at) }) };
}
