import Type, { type TSchema } from "typebox";
import { integer, oneOf, text, textOrNull } from "../fields/fields.ts";
import { pauseFields } from "../guards/pause.ts";

const cap = Type.Object(
  {
    measure: oneOf(["spend_micros", "segments", "minutes"], "Money in millionths, SMS parts, or call minutes."),
    period: text("The day or the month in UTC.", ["2026-11-24"]),
    cap: integer("The cap."),
    currency: textOrNull("The currency of spending; null without a price table.", { examples: ["USD"] }),
    percent: integer("The percentage that was reached.", { examples: [80] }),
  },
  { description: "One of the project's caps." },
);

const pause = Type.Object(pauseFields, { description: "The pause." });

/** The fields of `data` next to `project_id`, by event. */
export const guardPayloads: Record<string, Record<string, TSchema>> = {
  "messaging.cap_warning": { cap },
  "messaging.cap_reached": { cap },
  "messaging.paused": { pause },
  "messaging.released": { pause },
};
