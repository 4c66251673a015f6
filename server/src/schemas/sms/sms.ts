import Type from "typebox";
import { isoOf } from "#platform/index.ts";
import {
  type FoundSms,
  partStates,
  type SmsAttemptRow,
  type SmsEstimate,
  type SmsPartView,
  smsAttemptResults,
  smsStatuses,
} from "#sms/index.ts";
import { flag, idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

export type SmsShape = ReturnType<typeof showSms>;

export const encodings = ["GSM-7", "UCS-2", "binary"] as const;
const encoding = oneOf(
  encodings,
  "The encoding. One character outside GSM-7 makes the message UCS-2, which takes more parts. `binary` is only used for inbound messages.",
);

export const smsSchema = shape("Sms", "An SMS, outbound or inbound.", {
  id: idOf("sms", "The message's ID."),
  object: oneOf(["sms"], "Always `sms`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  direction: oneOf(["outbound", "inbound"], "`inbound`: received on one of the project's numbers."),
  status: oneOf(smsStatuses, "The status. `sent`: a carrier accepted it. Some carriers never report more."),
  last_event: textOrNull("The latest event's name without `sms.`."),
  from: text("The sender.", ["+15005550006"]),
  to: text("The recipient.", ["+15005551000"]),
  country: text("The other party's country (ISO 3166-1 alpha-2); `ZZ` if the number has none.", ["US"]),
  body: textOrNull("The text, as sent. Kept for 30 days, or until you delete it.", { examples: ["Your order INV-1001 is on its way."] }),
  encoding,
  segments: integer("How many parts it has and counts as.", { examples: [1] }),
  segments_sent: integer("How many parts the carrier accepted.", { examples: [1] }),
  keyword: Type.Unsafe<"stop" | "start" | "help" | null>({
    type: ["string", "null"],
    enum: ["stop", "start", "help", null],
    description: "What an inbound message asked for. On an outbound message: what it replies to.",
  }),
  tags: tagsOut,
  metadata: metadataOut,
  status_callback: textOrNull("The address that receives its events in addition to webhooks."),
  batch_id: textOrNull("The batch it was sent in."),
  provider: textOrNull("The transport that carried it; `simulator` in TEST."),
  provider_message_ids: Type.Array(Type.String(), { description: "The carrier's IDs for its parts." }),
  attempts: integer("How many times sending was attempted.", { examples: [1] }),
  next_attempt_at: instantOrNull("When the next attempt is due; null if there is none."),
  error: messageError,
  scheduled_at: instantOrNull("When it's scheduled to be sent."),
  expires_at: instantOrNull("When Tillpost stops trying to send it; null for inbound messages."),
  sent_at: instantOrNull("When a carrier accepted it."),
  delivered_at: instantOrNull("When it was delivered, as reported by the carrier."),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was accepted or received."),
  updated_at: instant("When it was last updated."),
});

interface MessageError {
  code: string;
  message: string;
  provider_code: string | null;
}

/** Field by field, so that a column added below isn't exposed by accident. */
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

export const smsAttemptSchema = shape("SmsAttempt", "One attempt to send a message to a carrier.", {
  id: text("The message's ID and the attempt's number.", ["sms_01m7wje4wze7as3wcxk3xbrgav.1"]),
  object: oneOf(["sms_attempt"], "Always `sms_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in TEST."),
  sms_id: idOf("sms", "The message."),
  attempt: integer("Starts at 1.", { examples: [1] }),
  result: oneOf(
    smsAttemptResults,
    "The result; `started` while in progress. After `unknown` and `worker_lost`, the message may have been sent.",
  ),
  provider: textOrNull("The carrier."),
  code: textOrNull("An error code for programs."),
  message: textOrNull("The error in plain words."),
  provider_code: textOrNull("The carrier's error code."),
  segments_sent: integer("Parts the carrier accepted.", { examples: [1] }),
  created_at: instant("When it started."),
  finished_at: instantOrNull("When it ended."),
});

export function showSmsAttempt(row: SmsAttemptRow) {
  const {
    id,
    project_id,
    livemode,
    sms_id,
    attempt,
    result,
    provider,
    code,
    message,
    provider_code,
    segments_sent,
    created_at,
    finished_at,
  } = row;
  const same = { project_id, livemode, sms_id, attempt, result, provider, code, message, provider_code, segments_sent };
  return { id, object: "sms_attempt" as const, ...same, created_at: isoOf(created_at), finished_at: isoOf(finished_at) };
}

export type SmsPartShape = ReturnType<typeof showSmsPart>;

export const smsPartSchema = shape("SmsPart", "One part of an outbound message, with its text and the carrier's report.", {
  id: text("The message's ID and the part's number.", ["sms_01m7wje4wze7as3wcxk3xbrgav.1"]),
  object: oneOf(["sms_part"], "Always `sms_part`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in TEST."),
  sms_id: idOf("sms", "The message."),
  part: integer("Starts at 1.", { examples: [1] }),
  text: textOrNull("The part's text, as long as the message's text is kept.", { examples: ["Your order INV-1001 is on its way."] }),
  units: integerOrNull("Its length in GSM-7 septets or UCS-2 code units, as long as the message's text is kept."),
  units_per_part: integer("How many of them fit.", { examples: [160] }),
  characters_beyond_gsm7: Type.Array(Type.String(), { description: "Its distinct characters that aren't in GSM-7." }),
  status: Type.Unsafe<(typeof partStates.all)[number] | null>({
    enum: [...partStates.all, null],
    description: "The part's status. `sent`: the carrier accepted it. null: it wasn't accepted.",
  }),
  provider: textOrNull("The transport that carried it."),
  provider_message_id: textOrNull("The carrier's ID for it."),
  code: textOrNull("An error code for programs."),
  provider_code: textOrNull("The carrier's error code."),
  sent_at: instantOrNull("When a carrier accepted it."),
  reported_at: instantOrNull("When the carrier reported on it."),
});

export function showSmsPart({ id, sms, place, text: content, units, unitsPerPart, beyondGsm7, carried }: SmsPartView) {
  const { project_id, livemode } = sms;
  const same = {
    project_id,
    livemode,
    sms_id: sms.id,
    part: place + 1,
    text: content,
    units,
    units_per_part: unitsPerPart,
    characters_beyond_gsm7: beyondGsm7,
  };
  const { status = null, provider = null, provider_message_id = null, code = null, provider_code = null } = carried ?? {};
  const at = { sent_at: isoOf(carried?.created_at ?? null), reported_at: isoOf(carried?.reported_at ?? null) };
  return { id, object: "sms_part" as const, ...same, status, provider, provider_message_id, code, provider_code, ...at };
}

export type SmsEstimateShape = ReturnType<typeof showSmsEstimate>;

export const smsEstimateSchema = shape("SmsEstimate", "The encoding and parts a text needs, without sending it.", {
  object: oneOf(["sms_estimate"], "Always `sms_estimate`."),
  body: text("The text, as it would be sent.", ["Your order INV-1001 is on its way."]),
  encoding: oneOf(["GSM-7", "UCS-2"], "The encoding it would be sent in."),
  segments: integer("How many parts it needs.", { examples: [1] }),
  max_segments: integer("How many parts are allowed: `max_segments`, or 10.", { examples: [10] }),
  fits: flag("Whether it would be accepted with this many parts."),
  characters: integer("Its length in characters.", { examples: [34] }),
  units: integer("Its length in GSM-7 septets or UCS-2 code units.", { examples: [34] }),
  units_per_segment: integer("How many of them fit in each part.", { examples: [160] }),
  characters_beyond_gsm7: Type.Array(Type.String(), { description: "The distinct characters that aren't in GSM-7." }),
  parts: Type.Array(Type.String(), { description: "The text of each part." }),
});

export function showSmsEstimate(estimate: SmsEstimate & { max_segments: number }) {
  const {
    body,
    encoding: alphabet,
    segments,
    max_segments,
    characters,
    units,
    units_per_segment,
    characters_beyond_gsm7,
    parts,
  } = estimate;
  const length = { segments, max_segments, fits: segments <= max_segments, characters, units, units_per_segment };
  return { object: "sms_estimate" as const, body, encoding: alphabet, ...length, characters_beyond_gsm7, parts };
}
