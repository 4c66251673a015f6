import Type, { type TSchema } from "typebox";
import { codeChannels } from "#verifications/index.ts";
import { idOf, instant, integer, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { messageError } from "../mail/email.ts";
import { sendsOut } from "../verifications/verification.ts";

/** Parts of the payloads about verifications. They may grow: a receiver must bear fields that it does not know. */
export const eventVerification = shapeOf("EventVerification", "A verification as every event carries it: without its code.", {
  id: idOf("ver", "The verification's id."),
  object: oneOf(["verification"], "Always `verification`."),
  status: text("Where it stands after this event.", ["approved"]),
  to: text("The number or the address.", ["+15005551000"]),
  country: textOrNull("The country of a number."),
  channels: Type.Array(text("A channel.", ["sms"]), { description: "The channels, in the order in which they are tried." }),
  channel: oneOf(codeChannels, "By which the code was sent last."),
  locale: textOrNull("The language asked for."),
  template: text("What the code is for.", ["code"]),
  attempts_left: integer("How many codes may still be checked."),
  sends_left: integer("How often the code may still be sent."),
  sends: sendsOut,
  error: messageError,
  metadata: Type.Record(Type.String(), Type.String(), { description: "The merchant's own keys and values." }),
  expires_at: instant("Until when the code counts."),
  created_at: instant("When it began."),
});

const verification = {
  verification: Type.Unsafe<object>({ $ref: "EventVerification#" }),
  previous_status: textOrNull("Where it stood before."),
  sequence: integer("Counts the events of this verification, from 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

/** What each event about verifications means, for the document. */
export const verificationSentences: Record<string, string> = {
  "verification.created": "A verification began.",
  "verification.sent": "A verification's code was sent: the last of its `sends`.",
  "verification.approved": "The right code was checked.",
  "verification.failed": "Too many wrong codes were checked.",
  "verification.expired": "A verification's time was up.",
  "verification.canceled": "A verification was canceled.",
};

/** The data of each of them. */
export const verificationPayloads: Record<string, Record<string, TSchema>> = Object.fromEntries(
  Object.keys(verificationSentences).map((name) => [name, verification]),
);
