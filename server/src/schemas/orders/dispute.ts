import type { disputeView } from "#orders/index.ts";
import {
  amountOut,
  currencyOut,
  flag,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  oneOf,
  shape,
  text,
  textOrNull,
} from "../fields/fields.ts";

export type DisputeShape = ReturnType<typeof disputeView>;

/** The fields of a dispute, in responses and in events. */
export const disputeFacts = {
  order_id: textOrNull("The order; null for an unknown payment."),
  payment_session_id: textOrNull("The payment that is disputed."),
  gateway: gatewayField("The gateway it was paid through, and the wallet the money is taken from."),
  provider_dispute_id: text("The provider's ID for it.", ["dp_1PqZ8cJx0mB7vN2s"]),
  status: oneOf(
    ["inquiry", "opened", "won", "lost"],
    "`inquiry`: the bank or the provider is asking, and hasn't taken any money yet. `opened`: the provider has taken the money for now. `won`: the money was returned, or was never taken. `lost`: the money isn't returned.",
  ),
  amount_minor: amountOut("The disputed amount in minor units."),
  currency: currencyOut("The currency."),
  reason: textOrNull("The reason, in the provider's terms.", { examples: ["product_not_received"] }),
  in_books: flag(
    "Whether the payment's money is in the books, so that the dispute takes it out. If it isn't, an exception is opened for someone to decide.",
  ),
  fee_minor: integerOrNull("The provider's fee for the dispute, if reported."),
  fee_currency: textOrNull("The fee's currency. If it differs from the dispute's, the fee isn't booked."),
  transaction_id: textOrNull("The transaction that took the money out of the wallet, as long as it's out."),
  payment_exception_id: textOrNull("The exception opened for it."),
  told_at: instant("The provider's time for this status."),
  created_at: instant("When it was first reported."),
};

export const disputeSchema = shape(
  "Dispute",
  "A payment that the buyer disputes at their bank or at the provider. You respond to it at the provider; Tillpost keeps the books.",
  {
    id: idOf("dsp", "The dispute's ID."),
    object: oneOf(["dispute"], "Always `dispute`."),
    project_id: idOf("prj", "The project."),
    livemode: flag("False in the TEST environment."),
    credential_id: idOf("gc", "The gateway account it was reported on."),
    ...disputeFacts,
    ended_at: instantOrNull("When it was won or lost. If it was lost again after an appeal, when it was first lost."),
    version: integer("Increases by one with every change."),
    updated_at: instant("When it was last updated."),
  },
);
