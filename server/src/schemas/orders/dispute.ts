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
  order_id: textOrNull("The order; null for a payment that isn't known here."),
  payment_session_id: textOrNull("The payment that is disputed."),
  gateway: gatewayField("Where it was paid, and the wallet that the money is taken out of."),
  provider_dispute_id: text("The provider's own id.", ["dp_1PqZ8cJx0mB7vN2s"]),
  status: oneOf(
    ["inquiry", "opened", "won", "lost"],
    "`inquiry`: the bank or the provider asks, and has taken nothing yet. `opened`: the money is gone for now. `won`: it is back, or was never taken. `lost`: it stays gone.",
  ),
  amount_minor: amountOut("How much is disputed, in minor units."),
  currency: currencyOut("The currency."),
  reason: textOrNull("Why, in the provider's own word.", { examples: ["product_not_received"] }),
  in_books: flag("Whether the payment's money is in the books, so that the dispute takes it out of them. Where it isn't, the exception tells a person."),
  fee_minor: integerOrNull("What the provider keeps for the dispute, where it tells that."),
  fee_currency: textOrNull("The currency of the fee. A fee in another currency than the dispute's is in no books."),
  transaction_id: textOrNull("The transaction that took the money out of the wallet, while it is gone."),
  payment_exception_id: textOrNull("The exception that tells a person."),
  told_at: instant("The provider's time of this status."),
  created_at: instant("When it was first heard of."),
};

export const disputeSchema = shape(
  "Dispute",
  "A payment that its buyer disputes at their bank or at the provider. You answer it at the provider; Tillpost keeps the books.",
  {
    id: idOf("dsp", "The dispute's id."),
    object: oneOf(["dispute"], "Always `dispute`."),
    project_id: idOf("prj", "The project."),
    livemode: flag("False in the TEST environment."),
    credential_id: idOf("gc", "The account that it was told on."),
    ...disputeFacts,
    ended_at: instantOrNull("When it was won or lost."),
    version: integer("Grows by one with each change."),
    updated_at: instant("When it was last changed."),
  },
);
