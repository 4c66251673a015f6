import Type, { type TSchema } from "typebox";
import { integer, oneOf, text, textOrNull } from "../fields/fields.ts";
import { pauseFields } from "../guards/pause.ts";

const cap = Type.Object(
  {
    measure: oneOf(["spend_micros", "segments", "minutes"], "Money in millionths, segments of SMS, or begun minutes of calls."),
    period: text("The day or the month in UTC.", ["2026-11-24"]),
    cap: integer("What may be taken in it."),
    currency: textOrNull("Of money; null: there is no price table.", { examples: ["USD"] }),
    percent: integer("The part that was reached.", { examples: [80] }),
  },
  { description: "A cap of the project's." },
);

const pause = Type.Object(pauseFields, { description: "The pause." });

/** What `data` holds beside `project_id`, by event. */
export const guardPayloads: Record<string, Record<string, TSchema>> = {
  "messaging.cap_warning": { cap },
  "messaging.cap_reached": { cap },
  "messaging.paused": { pause },
  "messaging.released": { pause },
};
