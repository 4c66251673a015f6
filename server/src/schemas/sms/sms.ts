import Type from "typebox";
import { isoOf } from "#platform/index.ts";
import { type FoundSms, partStates, type SmsAttemptRow, type SmsEstimate, type SmsPartView, smsAttemptResults, smsStatuses } from "#sms/index.ts";
import { flag, idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

export type SmsShape = ReturnType<typeof showSms>;

export const encodings = ["GSM-7", "UCS-2", "binary"] as const;
const encoding = oneOf(encodings, "The alphabet that it is sent in. One character beyond GSM-7 makes it UCS-2, which takes more parts. `binary` came in so.");

export const smsSchema = shape("Sms", "A message by SMS: one that was sent, or one that came in.", {
  id: idOf("sms", "The message's id."),
  object: oneOf(["sms"], "Always `sms`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  direction: oneOf(["outbound", "inbound"], "`inbound`: it came to one of the project's numbers."),
  status: oneOf(smsStatuses, "How far it came. `sent`: a carrier has it. Some carriers never say more."),
  last_event: textOrNull("The newest event's name without `sms.`."),
  from: text("The sender.", ["+15005550006"]),
  to: text("The recipient.", ["+15005551000"]),
  country: text("The country of the other side (ISO 3166-1 alpha-2); `ZZ` for numbers of no country.", ["US"]),
  body: textOrNull("What it says as it is sent; for 30 days, and until it is deleted.", { examples: ["Your order INV-1001 is on its way."] }),
  encoding,
  segments: integer("How many parts it is sent in, and counts as.", { examples: [1] }),
  segments_sent: integer("How many of them a carrier accepted.", { examples: [1] }),
  keyword: Type.Unsafe<"stop" | "start" | "help" | null>({
    type: ["string", "null"],
    enum: ["stop", "start", "help", null],
    description: "What an inbound message asked for; an outbound one with it is the answer.",
  }),
  tags: tagsOut,
  metadata: metadataOut,
  status_callback: textOrNull("Who else is told of its events."),
  batch_id: textOrNull("The batch that it came in."),
  provider: textOrNull("What carried it; `simulator` in TEST."),
  provider_message_ids: Type.Array(Type.String(), { description: "The ids that the carrier gave its parts." }),
  attempts: integer("How often it was handed to a carrier.", { examples: [1] }),
  next_attempt_at: instantOrNull("When it is handed over next; null when nothing more is due."),
  error: messageError,
  scheduled_at: instantOrNull("When it is to be sent."),
  expires_at: instantOrNull("When it is given up; null for what came in."),
  sent_at: instantOrNull("When a carrier accepted it."),
  delivered_at: instantOrNull("When it arrived, as its carrier reported."),
  version: integer("Grows by one with each change."),
  created_at: instant("When it was accepted, or came in."),
  updated_at: instant("When it was last changed."),
});

interface MessageError {
  code: string;
  message: string;
  provider_code: string | null;
}

/** Field by field, so that a column added below never shows here unasked. */
export function showSms({ sms, body, provider_message_ids }: FoundSms) {
  const { id, project_id, livemode, direction, status, last_event, sender, recipient, country, segments, segments_sent, keyword } = sms;
  const { tags, metadata, status_callback, batch_id, provider, attempts, state, version } = sms;
  return {
    id,
    object: "sms" as const,
    ...{ project_id, livemode, direction, status, last_event, from: sender, to: recipient, country, body },
    encoding: sms.encoding as (typeof encodings)[number],
    ...{ segments, segments_sent, keyword, tags: tags as { name: string; value: string }[], metadata, status_callback, batch_id, provider },
    ...{ provider_message_ids, attempts },
    next_attempt_at: isoOf(state === "waiting" || state === "due" ? sms.due_at : null),
    error: sms.error as MessageError | null,
    scheduled_at: isoOf(sms.scheduled_at),
    expires_at: isoOf(direction === "inbound" ? null : sms.expires_at),
    sent_at: isoOf(sms.sent_at),
    delivered_at: isoOf(sms.delivered_at),
    version,
    created_at: isoOf(sms.created_at),
    updated_at: isoOf(sms.updated_at),
  };
}

export type SmsAttemptShape = ReturnType<typeof showSmsAttempt>;

export const smsAttemptSchema = shape("SmsAttempt", "One attempt to hand a message to a carrier.", {
  id: text("The message's id and the attempt's number.", ["sms_01m7wje4wze7as3wcxk3xbrgav.1"]),
  object: oneOf(["sms_attempt"], "Always `sms_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  sms_id: idOf("sms", "The message."),
  attempt: integer("Counts from 1.", { examples: [1] }),
  result: oneOf(smsAttemptResults, "How it ended; `started` while it is under way. After `unknown` and `worker_lost` the message may have left."),
  provider: textOrNull("The carrier."),
  code: textOrNull("Why it came to nothing, for programs."),
  message: textOrNull("Why, for people."),
  provider_code: textOrNull("The carrier's own code."),
  segments_sent: integer("Parts that the carrier accepted.", { examples: [1] }),
  created_at: instant("When it began."),
  finished_at: instantOrNull("When it ended."),
});

export function showSmsAttempt(row: SmsAttemptRow) {
  const { id, project_id, livemode, sms_id, attempt, result, provider, code, message, provider_code, segments_sent, created_at, finished_at } = row;
  const same = { project_id, livemode, sms_id, attempt, result, provider, code, message, provider_code, segments_sent };
  return { id, object: "sms_attempt" as const, ...same, created_at: isoOf(created_at), finished_at: isoOf(finished_at) };
}

export type SmsPartShape = ReturnType<typeof showSmsPart>;

export const smsPartSchema = shape("SmsPart", "One part of a message that was sent: what it carries, and what the carrier reported of it.", {
  id: text("The message's id and the part's number.", ["sms_01m7wje4wze7as3wcxk3xbrgav.1"]),
  object: oneOf(["sms_part"], "Always `sms_part`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  sms_id: idOf("sms", "The message."),
  part: integer("Counts from 1.", { examples: [1] }),
  text: textOrNull("What it says, while the message's text is kept.", { examples: ["Your order INV-1001 is on its way."] }),
  units: integerOrNull("Its length in septets of GSM-7 or code units of UCS-2, while the message's text is kept."),
  units_per_part: integer("How many of them fit into it.", { examples: [160] }),
  characters_beyond_gsm7: Type.Array(Type.String(), { description: "Its characters, each once, that keep the message from being GSM-7." }),
  status: Type.Unsafe<(typeof partStates.all)[number] | null>({
    enum: [...partStates.all, null],
    description: "What is known of it: `sent`, a carrier has it. null: no carrier accepted it.",
  }),
  provider: textOrNull("What carried it."),
  provider_message_id: textOrNull("The id that the carrier gave it."),
  code: textOrNull("Why it did not arrive, for programs."),
  provider_code: textOrNull("The carrier's own code."),
  sent_at: instantOrNull("When a carrier accepted it."),
  reported_at: instantOrNull("When the carrier said what became of it."),
});

export function showSmsPart({ id, sms, place, text: said, units, unitsPerPart, beyondGsm7, carried }: SmsPartView) {
  const { project_id, livemode } = sms;
  const same = { project_id, livemode, sms_id: sms.id, part: place + 1, text: said, units, units_per_part: unitsPerPart, characters_beyond_gsm7: beyondGsm7 };
  const { status = null, provider = null, provider_message_id = null, code = null, provider_code = null } = carried ?? {};
  const at = { sent_at: isoOf(carried?.created_at ?? null), reported_at: isoOf(carried?.reported_at ?? null) };
  return { id, object: "sms_part" as const, ...same, status, provider, provider_message_id, code, provider_code, ...at };
}

export type SmsEstimateShape = ReturnType<typeof showSmsEstimate>;

export const smsEstimateSchema = shape("SmsEstimate", "What a text takes, without sending it.", {
  object: oneOf(["sms_estimate"], "Always `sms_estimate`."),
  body: text("The text as it would be sent.", ["Your order INV-1001 is on its way."]),
  encoding: oneOf(["GSM-7", "UCS-2"], "The alphabet that it would be sent in."),
  segments: integer("How many parts it takes.", { examples: [1] }),
  max_segments: integer("How many are allowed: what the request said, or 10.", { examples: [10] }),
  fits: flag("Whether it would be accepted with so many."),
  characters: integer("Its length in characters.", { examples: [34] }),
  units: integer("Its length in septets of GSM-7 or code units of UCS-2.", { examples: [34] }),
  units_per_segment: integer("How many of them fit into each part.", { examples: [160] }),
  characters_beyond_gsm7: Type.Array(Type.String(), { description: "The characters, each once, that keep it from being GSM-7." }),
  parts: Type.Array(Type.String(), { description: "What each part says." }),
});

export function showSmsEstimate(estimate: SmsEstimate & { max_segments: number }) {
  const { body, encoding: alphabet, segments, max_segments, characters, units, units_per_segment, characters_beyond_gsm7, parts } = estimate;
  const length = { segments, max_segments, fits: segments <= max_segments, characters, units, units_per_segment };
  return { object: "sms_estimate" as const, body, encoding: alphabet, ...length, characters_beyond_gsm7, parts };
}
