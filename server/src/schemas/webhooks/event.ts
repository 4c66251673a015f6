import Type from "typebox";
import { flag, idOf, oneOf, shape, text } from "../fields/fields.ts";

/** An event as it is delivered; its bytes are created in the transaction that it reports. */
export interface EventShape {
  id: string;
  [field: string]: unknown;
}

export const eventSchema = shape("Event", "Something that happened, as webhooks deliver it.", {
  id: idOf("evt", "The event's ID; the same in every delivery."),
  object: oneOf(["event"], "Always `event`. Not part of what webhooks deliver."),
  sequence: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description:
      "Its position in the project's sequence of events; null for a moment after it happened. Not part of what webhooks deliver.",
    examples: [1042],
  }),
  event: text("Its name.", ["order.paid"]),
  created_at: text("When it happened.", ["2026-11-20T14:30:00.000Z"]),
  test: Type.Optional(flag("True for test events; absent for all others.")),
  livemode: flag("False in the TEST environment, and on test events."),
  api_version: text("Version of the payload."),
  data: Type.Object({}, { additionalProperties: true, description: "The objects the event is about, and `project_id`." }),
});

/** An event as lists and single reads return it, from the bytes that are delivered. */
export function showEvent(row: { body: Buffer; sequence: number | null }): EventShape {
  const { id, ...rest } = JSON.parse(row.body.toString("utf8")) as EventShape;
  return { id, object: "event", sequence: row.sequence, ...rest };
}

export const deletedSchema = shape("Deleted", "Confirms that an object was deleted.", {
  id: text("Its ID."),
  object: text("What kind of object it was."),
  deleted: Type.Unsafe<true>({ type: "boolean", enum: [true], description: "Always true." }),
});
