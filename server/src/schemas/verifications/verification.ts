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
import { type FieldsOf, flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, nullable } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";
import { metadataIn } from "../orders/order.ts";

export type VerificationShape = ReturnType<typeof showVerification>;

const channelIn = oneOf(codeChannels, "A channel.");
const wholeNumber = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description, ...options }));
const recipient = { maxLength: 254, examples: ["+15005551000"] };
const digits = Type.String({ pattern: "^[0-9]{4,10}$", maxLength: 10, description: "The code the person entered.", examples: ["424242"] });

/** A request for one verification. */
export const verificationIn = strict(
  {
    to: Type.String({ minLength: 1, description: "A phone number in international form, or an email address.", ...recipient }),
    channels: Type.Array(channelIn, {
      minItems: 1,
      maxItems: 3,
      description:
        "How to send the code: `sms` and `call` to a number, `email` to an address. The first channel is used right away, the others in order if it fails.",
      examples: [["sms", "call"]],
    }),
    from: Type.Optional(
      textOrNull(
        "The sender: a number for `sms` and `call`, a sender name or short code for `sms`, an address for `email`. Defaults to the project's usual number or sender for each channel, and for `email` to the platform's domain. If it's a name or short code, calls come from the usual number.",
        { maxLength: 320 },
      ),
    ),
    locale: Type.Optional(
      textOrNull("The language of the message, as a language tag. Unsupported languages fall back to English.", {
        maxLength: 35,
        examples: [languageInfo(firstLanguage).locale],
      }),
    ),
    code_length: wholeNumber("How many digits the code has. Defaults to 6.", { minimum: 4, maximum: 10, examples: [6] }),
    expires_in: wholeNumber("How many seconds the code is valid. Defaults to 600.", { minimum: 60, maximum: 3600, examples: [600] }),
    fallback_after: wholeNumber(
      "How many seconds to wait for a message whose result is unknown before using the next channel. If omitted, only a failure triggers it.",
      {
        minimum: fallbackMin,
        maximum: 3600,
        examples: [60],
      },
    ),
    template: Type.Optional(
      Type.Unsafe<(typeof templateNames)[number] | null>({
        enum: [...templateNames, null],
        description: "What the code is for. Defaults to `code`.",
      }),
    ),
    origin: Type.Optional(
      textOrNull(
        "The host of the page where the code is entered. The SMS then ends with `@host #code`, and phones offer to fill in the code only on that site.",
        {
          maxLength: 253,
          examples: ["shop.example.com"],
        },
      ),
    ),
    metadata: Type.Optional(nullable(metadataIn)),
  } satisfies FieldsOf<VerificationInput>,
  { description: "A number or address to verify." },
);

export const givenCodeIn = strict({ code: digits }, { description: "A code to check." });
export const givenCodeOfIn = strict(
  {
    to: Type.String({ minLength: 1, description: "The recipient; their latest pending verification is checked.", ...recipient }),
    code: digits,
  },
  { description: "A code to check." },
);
export const resendIn = strict(
  { channel: Type.Optional(nullable(oneOf(codeChannels, "One of the verification's channels. Defaults to the last one used."))) },
  { description: "How to resend the code." },
);

export const sendsOut = Type.Array(
  Type.Object(
    {
      channel: oneOf(codeChannels, "The channel."),
      message_id: text("The message: an SMS, a call or an email. Its text is never shown.", ["sms_01m7wje4wze7as3wcxk3xbrgav"]),
      cause: oneOf(sendCauses, "`start`, `resend` if you asked for it, or `fallback` if another channel failed."),
      created_at: instant("When it happened."),
    },
    { description: "One message that carried the code." },
  ),
  { description: "The messages that carried the code, oldest first." },
);

export const verificationSchema = shape("Verification", "A check that someone can read messages to a number or an address.", {
  id: idOf("ver", "The verification's ID."),
  object: oneOf(["verification"], "Always `verification`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  status: oneOf(verificationStatuses, "`pending` until the right code is checked, too many wrong ones are, it's canceled, or it expires."),
  last_event: textOrNull("The latest event's name without `verification.`."),
  to: text("The number or the address.", ["+15005551000"]),
  country: textOrNull("The number's country (ISO 3166); `ZZ` if it has none."),
  channels: Type.Array(channelIn, { description: "The channels, in the order in which they are tried." }),
  channel: oneOf(codeChannels, "By which the code was sent last."),
  from: textOrNull("The sender named in the request."),
  locale: textOrNull("The requested language."),
  template: oneOf(templateNames, "What the code is for."),
  origin: textOrNull("The host named in the SMS."),
  code_length: integer("How many digits the code has."),
  attempts_left: integer(`How many checks are left of ${verificationAllowance.checks}.`),
  sends_left: integer(`How many sends are left of ${verificationAllowance.sends}.`),
  sends: sendsOut,
  fallback_at: instantOrNull("When the next channel will be used."),
  error: messageError,
  metadata: metadataOut,
  expires_at: instant("When the code expires."),
  ended_at: instantOrNull("When it was approved, failed, expired or was canceled."),
  version: integer("Increases by one whenever the status changes."),
  created_at: instant("When it started."),
  updated_at: instant("When it was last updated."),
});

export function showVerification(row: VerificationRow) {
  const {
    id,
    project_id,
    livemode,
    status,
    last_event,
    country,
    channels,
    channel,
    locale,
    template,
    origin,
    code_length,
    sends,
    error,
    metadata,
  } = row;
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
