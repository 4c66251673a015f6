import Type from "typebox";
import { flag, idOf, instant, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export const reviewSchema = shape("Review", "A reviewer's decision on a payment of an order.", {
  id: idOf("aud", "The review's id: its entry in the audit log."),
  object: oneOf(["review"], "Always `review`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  order_id: idOf("ord", "The order."),
  decision: oneOf(["approved", "rejected", "reversed"], "What was decided; `reversed`: a payment that was booked turned out to be none."),
  reviewer: Type.Object(
    {
      kind: text("What kind of actor it was.", ["person"]),
      id: text("Their id."),
      name: textOrNull("Their name; null once they are gone."),
    },
    { description: "Who decided." },
  ),
  gateway: textOrNull("How the money came, on an approval."),
  received_amount_minor: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "What arrived, on an approval; what was taken back out, on a reversal.",
  }),
  external_transaction_id: textOrNull("The transfer's number, where the reviewer gave one or a receipt had it."),
  reason_code: textOrNull("Why it was rejected, or the cause of a reversal."),
  note: textOrNull("What the reviewer added."),
  created_at: instant("When it was decided."),
});
