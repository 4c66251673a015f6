import Type from "typebox";
import { idPattern } from "#platform/index.ts";
import { flag, idOf, oneOf, shape, text } from "../fields/fields.ts";

const idOrNull = (prefix: "em" | "sms", description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], pattern: idPattern(prefix), description });

export const inboundSchema = shape("Inbound", "What a recipient was made to do, in TEST.", {
  object: oneOf(["inbound"], "Always `inbound`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("Always false."),
  type: oneOf(["reply", "complaint", "bounce", "unsubscribe", "message"], "What the recipient did; `message`: an SMS came in."),
  email_id: idOrNull("em", "The e-mail; null for an SMS."),
  sms_id: idOrNull("sms", "The SMS that came in; null for what is about an e-mail."),
  recipient: text("Who did it.", ["ada@example.com"]),
});
