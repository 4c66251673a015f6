import Type from "typebox";
import type { findFigures } from "#orders/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instant, integer, oneOf, shape, text } from "../fields/fields.ts";

export type FiguresShape = Awaited<ReturnType<typeof findFigures>>;

const sum = {
  currency: currencyOut("The currency."),
  paid_count: integer("How many orders were paid.", { examples: [1] }),
  paid_minor: amountOut(
    "How much of their amounts was received, in minor units. Less than the sum of their amounts if less was asked for or accepted. Money beyond an order's amount isn't counted.",
  ),
  refunded_minor: amountOut("The refunds that succeeded on this day, in minor units, regardless of when the money was received."),
  disputed_minor: amountOut(
    "What providers took for disputes on this day minus what they returned, in minor units. Negative if they returned more.",
    0,
  ),
};

export const figuresSchema = shape("Figures", "The amounts a project received in a period.", {
  object: oneOf(["figures"], "Always `figures`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  from: instant("The start of the period.", "2026-10-21T14:30:00.000Z"),
  to: instant("The end of the period, which isn't included."),
  time_zone: text("The time zone whose midnights separate days.", ["Asia/Shanghai"]),
  days: Type.Array(Type.Object({ day: text("The day.", ["2026-11-20"]), ...sum }), {
    description: "What was paid, refunded and disputed on each day with any of these.",
  }),
  channels: Type.Array(Type.Object({ gateway: gatewayField("The gateway."), ...sum }), {
    description: "Verified payments, refunds and disputes by gateway.",
  }),
  orders: Type.Object(
    {
      created: integer("Orders created in the period.", { examples: [3] }),
      ended: integer("How many of them are paid, failed, expired or canceled.", { examples: [2] }),
      paid: integer("How many of them are paid.", { examples: [1] }),
    },
    { description: "What happened to the orders created in the period." },
  ),
  review_seconds: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description:
      "The median time from a buyer's report to its verification by a reviewer or a matching receipt, in seconds. Rejections don't count.",
    examples: [95],
  }),
});
