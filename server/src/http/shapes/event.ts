import Type from "typebox";
import { flag, idOf, shape, text } from "../schemas/fields.ts";

/** An event as it is delivered; its bytes are made in the transaction that it tells of. */
export interface EventShape {
  id: string;
  [field: string]: unknown;
}

export const eventSchema = shape("Event", "Something that happened, as webhooks deliver it.", {
  id: idOf("evt", "The event's id; the same in every delivery."),
  event: text("Its name.", ["order.paid"]),
  created_at: text("When it happened.", ["2026-11-20T14:30:00.000Z"]),
  livemode: flag("False in the TEST environment."),
  api_version: text("Version of the payload."),
  data: Type.Object({}, { additionalProperties: true, description: "The objects that it is about, and `project_id`." }),
});

export const deletedSchema = shape("Deleted", "Says that an object is gone.", {
  id: text("Its id."),
  object: text("What it was."),
  deleted: Type.Unsafe<true>({ type: "boolean", enum: [true], description: "Always true." }),
});
