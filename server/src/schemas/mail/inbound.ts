import Type from "typebox";
import { idPattern } from "#platform/index.ts";
import { flag, idOf, oneOf, shape, text } from "../fields/fields.ts";

const idOrNull = (prefix: "em" | "sms", description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], pattern: idPattern(prefix), description });

export const inboundSchema = shape("Inbound", "A simulated recipient action, in TEST.", {
  object: oneOf(["inbound"], "Always `inbound`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("Always false."),
  type: oneOf(["reply", "complaint", "bounce", "unsubscribe", "message"], "What the recipient did. `message`: an inbound SMS."),
  email_id: idOrNull("em", "The email; null for an SMS."),
  sms_id: idOrNull("sms", "The inbound SMS; null for actions on an email."),
  recipient: text("Who did it.", ["ada@example.com"]),
});
