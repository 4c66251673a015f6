import Type from "typebox";
import { firstLanguage, isoOf, languageInfo } from "#platform/index.ts";
import {
  codeChannels,
  fallbackMin,
  sendCauses,
  showSent,
  templateNames,
  type VerificationInput,
  type VerificationRow,
  verificationAllowance,
  verificationStatuses,
} from "#verifications/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, nullable } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";
import { metadataIn } from "../orders/order.ts";

export type VerificationShape = ReturnType<typeof showVerification>;

const channelIn = oneOf(codeChannels, "A channel.");
const wholeNumber = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description, ...options }));
const recipient = { maxLength: 254, examples: ["+15005551000"] };
const digits = Type.String({ pattern: "^[0-9]{4,10}$", maxLength: 10, description: "What the person typed.", examples: ["424242"] });

/** A request for one verification. */
export const verificationIn = strict(
  {
    to: Type.String({ minLength: 1, description: "A telephone number in international form, or an e-mail address.", ...recipient }),
    channels: Type.Array(channelIn, {
      minItems: 1,
      maxItems: 3,
      description:
        "How the code is sent: `sms` and `call` to a number, `email` to an address. The first one at once, the others in their order where it comes to nothing.",
      examples: [["sms", "call"]],
    }),
    from: Type.Optional(
      textOrNull(
        "Who sends it: a number for `sms` and `call`, a name for `sms` alone, an address for `email`. When absent, what the project usually sends SMS from, or the platform's domain. Calls in LIVE need it.",
        { maxLength: 320 },
      ),
    ),
    locale: Type.Optional(
      textOrNull("The language of the message, as a tag. English where it is one that Tillpost does not speak.", {
        maxLength: 35,
        examples: [languageInfo(firstLanguage).locale],
      }),
    ),
    code_length: wholeNumber("How many digits the code has; 6 when absent.", { minimum: 4, maximum: 10, examples: [6] }),
    expires_in: wholeNumber("Seconds for which the code counts; 600 when absent.", { minimum: 60, maximum: 3600, examples: [600] }),
    fallback_after: wholeNumber(
      "Seconds after which the next channel is tried even though nothing is known to have failed. When absent, only a failure does it.",
      {
        minimum: fallbackMin,
        maximum: 3600,
        examples: [60],
      },
    ),
    template: Type.Optional(
      Type.Unsafe<VerificationInput["template"]>({ enum: [...templateNames, null], description: "What the code is for; `code` when absent." }),
    ),
    origin: Type.Optional(
      textOrNull("The host of the page on which the code is typed. An SMS then ends with `@host #code`, and telephones offer the code on that page alone.", {
        maxLength: 253,
        examples: ["shop.example.com"],
      }),
    ),
    metadata: Type.Optional(nullable(metadataIn)),
  },
  { description: "A number or an address that is to be verified." },
);

export const givenCodeIn = strict({ code: digits }, { description: "A code to check." });
export const givenCodeOfIn = strict(
  { to: Type.String({ minLength: 1, description: "Whose newest pending verification is meant.", ...recipient }), code: digits },
  { description: "A code to check." },
);
export const resendIn = strict(
  { channel: Type.Optional(nullable(oneOf(codeChannels, "One of the verification's channels; the one of the last time when absent."))) },
  { description: "How the code is sent again." },
);

export const sendsOut = Type.Array(
  Type.Object(
    {
      channel: oneOf(codeChannels, "By which it went."),
      message_id: text("The message: an SMS, a call or an e-mail. Its text is shown to nobody.", ["sms_01m7wje4wze7as3wcxk3xbrgav"]),
      cause: oneOf(sendCauses, "`start`, `resend` as you asked, or `fallback` because another channel came to nothing."),
      created_at: instant("When."),
    },
    { description: "One message that carried the code." },
  ),
  { description: "The messages that carried the code, the first one first." },
);

export const verificationSchema = shape("Verification", "Whether somebody reads a number or an address.", {
  id: idOf("ver", "The verification's id."),
  object: oneOf(["verification"], "Always `verification`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  status: oneOf(verificationStatuses, "`pending` until the right code is checked, too many wrong ones were, it is canceled or its time is up."),
  last_event: textOrNull("The newest event's name without `verification.`."),
  to: text("The number or the address.", ["+15005551000"]),
  country: textOrNull("The country of a number, ISO 3166; `ZZ` for none."),
  channels: Type.Array(channelIn, { description: "The channels, in the order in which they are tried." }),
  channel: oneOf(codeChannels, "By which the code was sent last."),
  from: textOrNull("Who sends it, as the request named them."),
  locale: textOrNull("The language asked for."),
  template: oneOf(templateNames, "What the code is for."),
  origin: textOrNull("The host that an SMS names."),
  code_length: integer("How many digits the code has."),
  attempts_left: integer(`How many codes may still be checked, of ${verificationAllowance.checks}.`),
  sends_left: integer(`How often the code may still be sent, of ${verificationAllowance.sends}.`),
  sends: sendsOut,
  fallback_at: instantOrNull("When the next channel is tried."),
  error: messageError,
  metadata: metadataOut,
  expires_at: instant("Until when the code counts."),
  ended_at: instantOrNull("When it was approved, failed, expired or was canceled."),
  version: integer("Grows by one with each change of its status."),
  created_at: instant("When it began."),
  updated_at: instant("When it was last changed."),
});

export function showVerification(row: VerificationRow) {
  const { id, project_id, livemode, status, last_event, country, channels, channel, locale, template, origin, code_length, sends, error, metadata } = row;
  return {
    id,
    object: "verification" as const,
    ...{ project_id, livemode, status, last_event },
    to: row.recipient,
    ...{ country, channels, channel },
    from: row.sender,
    ...{ locale, template, origin, code_length },
    attempts_left: row.checks_left,
    sends_left: row.sends_left,
    sends: sends.map(showSent),
    fallback_at: isoOf(row.fallback_at),
    ...{ error, metadata },
    expires_at: isoOf(row.expires_at),
    ended_at: isoOf(row.ended_at),
    version: row.version,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  };
}
