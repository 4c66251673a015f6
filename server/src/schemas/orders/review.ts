import Type from "typebox";
import { flag, idOf, instant, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export const reviewSchema = shape("Review", "A reviewer's decision on a payment of an order.", {
  id: idOf("aud", "The review's ID, which is also its entry in the audit log."),
  object: oneOf(["review"], "Always `review`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order."),
  decision: oneOf(["approved", "rejected", "reversed"], "The decision. `reversed`: a booked payment turned out to be a mistake."),
  reviewer: Type.Object(
    {
      kind: text("What kind of actor it was.", ["person"]),
      id: text("Their ID."),
      name: textOrNull("Their name; null once they have been removed."),
    },
    { description: "Who decided." },
  ),
  gateway: textOrNull("For an approval: how the money arrived."),
  received_amount_minor: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "For an approval, the amount that arrived; for a reversal, the amount that was taken back out.",
  }),
  external_transaction_id: textOrNull("The transfer number, if the reviewer or a receipt provided one."),
  reason_code: textOrNull("Why it was rejected or reversed."),
  note: textOrNull("What the reviewer added."),
  created_at: instant("When it was decided."),
});
