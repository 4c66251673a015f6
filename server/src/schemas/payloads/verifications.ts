import Type, { type TSchema } from "typebox";
import { codeChannels } from "#verifications/index.ts";
import { idOf, instant, integer, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { messageError } from "../mail/email.ts";
import { sendsOut } from "../verifications/verification.ts";

/** Parts of the payloads about verifications. They may grow: receivers must ignore unknown fields. */
export const eventVerification = shapeOf("EventVerification", "A verification as events carry it: without its code.", {
  id: idOf("ver", "The verification's ID."),
  object: oneOf(["verification"], "Always `verification`."),
  status: text("Its status after this event.", ["approved"]),
  to: text("The number or the address.", ["+15005551000"]),
  country: textOrNull("The country of a number."),
  channels: Type.Array(text("A channel.", ["sms"]), { description: "The channels, in the order they are used." }),
  channel: oneOf(codeChannels, "The channel that sent the code last."),
  locale: textOrNull("The requested language."),
  template: text("What the code is for.", ["code"]),
  attempts_left: integer("How many checks are left."),
  sends_left: integer("How many sends are left."),
  sends: sendsOut,
  error: messageError,
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  expires_at: instant("When the code expires."),
  created_at: instant("When it started."),
});

const verification = {
  verification: Type.Unsafe<object>({ $ref: "EventVerification#" }),
  previous_status: textOrNull("Its status before this event."),
  sequence: integer("The event's number for this verification, starting at 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

/** The meaning of each event about verifications, for the OpenAPI document. */
export const verificationSentences: Record<string, string> = {
  "verification.created": "A verification was started.",
  "verification.sent": "A verification's code was sent, as the last entry of `sends`.",
  "verification.approved": "The right code was checked.",
  "verification.failed": "Too many wrong codes were checked.",
  "verification.expired": "A verification expired.",
  "verification.canceled": "A verification was canceled.",
};

/** The data of each of them. */
export const verificationPayloads: Record<string, Record<string, TSchema>> = Object.fromEntries(
  Object.keys(verificationSentences).map((name) => [name, verification]),
);
