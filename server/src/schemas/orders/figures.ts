import Type from "typebox";
import type { findFigures } from "#orders/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instant, integer, oneOf, shape, text } from "../fields/fields.ts";

export type FiguresShape = Awaited<ReturnType<typeof findFigures>>;

const sum = {
  currency: currencyOut("The currency."),
  paid_count: integer("How many orders.", { examples: [1] }),
  paid_minor: amountOut(
    "What came in of their amounts, in minor units: less than their sum where less was asked for or accepted. Money beyond an order's amount is not counted.",
  ),
  refunded_minor: amountOut("What went back to buyers by refunds that succeeded then, in minor units, whenever the money had come in."),
  disputed_minor: amountOut("What providers took for disputes then, less what they gave back, in minor units. Negative where more came back.", 0),
};

export const figuresSchema = shape("Figures", "What a project took in a span of time.", {
  object: oneOf(["figures"], "Always `figures`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  from: instant("The beginning.", "2026-10-21T14:30:00.000Z"),
  to: instant("The end, which does not belong to the span."),
  time_zone: text("Where days begin at midnight.", ["Asia/Shanghai"]),
  days: Type.Array(Type.Object({ day: text("The day.", ["2026-11-20"]), ...sum }), {
    description: "What was paid, refunded and disputed on each day on which money moved.",
  }),
  channels: Type.Array(Type.Object({ gateway: gatewayField("The gateway."), ...sum }), { description: "Verified payments, refunds and disputes by gateway." }),
  orders: Type.Object(
    {
      created: integer("Orders that were made in the span.", { examples: [3] }),
      ended: integer("Those of them that are paid, failed, expired or canceled.", { examples: [2] }),
      paid: integer("Those of them that are paid.", { examples: [1] }),
    },
    { description: "What became of the orders made in the span." },
  ),
  review_seconds: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "Median of the seconds from a buyer's report to its verification.",
    examples: [95],
  }),
});
