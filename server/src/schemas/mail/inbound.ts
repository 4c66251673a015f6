import { flag, idOf, oneOf, shape, text } from "../fields/fields.ts";

export const inboundSchema = shape("Inbound", "What a recipient was made to do, in TEST.", {
  object: oneOf(["inbound"], "Always `inbound`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("Always false."),
  type: oneOf(["reply", "complaint", "bounce", "unsubscribe"], "What the recipient did."),
  email_id: idOf("em", "The message."),
  recipient: text("Who did it.", ["ada@example.com"]),
});
