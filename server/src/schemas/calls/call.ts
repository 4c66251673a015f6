import Type from "typebox";
import { type CallRow, callStatuses, type FoundRecording, hangUpParties, recordingSources, recordModes, stepVerbs } from "#calls/index.ts";
import { isoOf } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

export type CallShape = ReturnType<typeof showCall>;

const digitsOut = "The keys the callee pressed, in order. Kept for 30 days after the call ends, then empty.";
export const gatheredOut = Type.Record(Type.String(), Type.String(), {
  description: "The keys pressed for each `gather`, by its name. Empty once they're deleted.",
});

export const callSchema = shape("Call", "A voice call.", {
  id: idOf("call", "The call's ID."),
  object: oneOf(["call"], "Always `call`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  status: oneOf(callStatuses, "The status."),
  last_event: textOrNull("The latest event's name without `call.`."),
  direction: oneOf(["outbound"], "Always `outbound`."),
  from: text("The caller ID.", ["+15005550006"]),
  to: text("The number called.", ["+15005552000"]),
  country: text("The country of `to` (ISO 3166); `ZZ` if it has none.", ["US"]),
  text: textOrNull("The text to speak, as requested. Kept for 30 days after the call ends, then null; so are the next four."),
  audio_url: textOrNull("The audio file to play."),
  actions: Type.Unsafe<object[] | null>({
    type: ["array", "null"],
    items: { type: "object", additionalProperties: true, description: "A verb." },
    description: "The verbs, with defaults filled in.",
  }),
  answer_url: textOrNull("The address that is asked for actions."),
  fallback_text: textOrNull("What is said if one of your addresses or audio files fails."),
  send_digits: textOrNull("Keys sent as soon as the call is answered."),
  steps: Type.Array(
    Type.Object(
      {
        at: instant("When it happened."),
        verb: oneOf(stepVerbs, "What was done. `ask`: your server was asked what to do."),
        text: textOrNull("`say`: the text spoken."),
        url: textOrNull("`play`, `ask`: the address."),
        name: textOrNull("`gather`: its name."),
        digits: textOrNull("`gather`: the keys pressed. `dtmf`: the keys sent."),
      },
      { additionalProperties: false, description: "A step." },
    ),
    { description: "What happened from the answer on, in order. Filled once the call has ended; deleted 30 days later." },
  ),
  voice: textOrNull("The voice."),
  language: textOrNull("The language."),
  speed: Type.Number({ description: "How fast texts are spoken; 1 is the voice's normal speed." }),
  timeout: integer("How many seconds it may ring."),
  time_limit: integer("The call's maximum length in seconds."),
  record: Type.Unsafe<(typeof recordModes)[number] | null>({
    enum: [...recordModes, null],
    description: "How the call is recorded; null if it isn't.",
  }),
  sip_code: integerOrNull("The SIP response code."),
  hangup_by: Type.Unsafe<(typeof hangUpParties)[number] | null>({
    enum: [...hangUpParties, null],
    description: "Who ended the call: `caller` is your side, `limit` the time limit, `transport` a connection failure.",
  }),
  answered_by: textOrNull(
    "Who answered: `human` or `machine` if the carrier detects it, otherwise `unknown`; null if no one answered yet.",
  ),
  gathered: gatheredOut,
  digits: text(digitsOut, ["1234#"]),
  duration: integerOrNull("The seconds from the answer to the end, rounded up; null until the call ends, or if no one answered."),
  ring_duration: integerOrNull("How many seconds it rang."),
  tags: tagsOut,
  metadata: metadataOut,
  batch_id: textOrNull("The batch it was placed in. Always null, because calls can't be placed in batches."),
  status_callback: textOrNull("The address that receives its events in addition to webhooks."),
  provider: textOrNull(
    "The transport that carried it, or was tried last: `simulator`, `sip:` and the trunk's name, or `http:` and the account's name. Only `sip` or `http`: none could be tried, or it wasn't recorded which.",
  ),
  error: messageError,
  scheduled_at: instantOrNull("When it's scheduled to be placed."),
  expires_at: instant("When Tillpost stops trying to place it."),
  started_at: instantOrNull("When it was dialed."),
  answered_at: instantOrNull("When it was answered."),
  ended_at: instantOrNull("When it ended."),
  hangup_requested_at: instantOrNull("When you asked to hang up."),
  version: integer("Increases by one whenever the status or the scheduled time changes."),
  created_at: instant("When it was accepted."),
  updated_at: instant("When it was last updated."),
});

const nothing = { text: null, audio_url: null, actions: null, answer_url: null, fallback_text: null, send_digits: null, steps: [] };

export function showCall(call: CallRow) {
  const { id, project_id, livemode, status, last_event, country } = call;
  const { voice, language, speed, record, sip_code, hangup_by, answered_by, gathered, digits } = call;
  const { text: saidText, audio_url, actions, answer_url, fallback_text, send_digits, steps = [] } = call.said ?? nothing;
  return {
    id,
    object: "call" as const,
    project_id,
    livemode,
    status,
    last_event,
    direction: "outbound" as const,
    from: call.from_number,
    to: call.to_number,
    country,
    ...{ text: saidText, audio_url, actions, answer_url, fallback_text, send_digits },
    steps: steps.map(({ at, verb, text: spoken, url, name, digits: keys }) => ({
      at: new Date(at),
      verb,
      text: spoken,
      url,
      name,
      digits: keys,
    })),
    ...{ voice, language, speed },
    timeout: call.ring_s,
    time_limit: call.limit_s,
    ...{ record, sip_code, hangup_by, answered_by, gathered, digits },
    duration: call.duration,
    ring_duration: call.ring_duration,
    tags: call.tags,
    metadata: call.metadata,
    batch_id: call.batch_id,
    status_callback: call.status_callback,
    provider: call.provider,
    error: call.error,
    scheduled_at: isoOf(call.scheduled_at),
    expires_at: isoOf(call.expires_at),
    started_at: isoOf(call.started_at),
    answered_at: isoOf(call.answered_at),
    ended_at: isoOf(call.ended_at),
    hangup_requested_at: isoOf(call.hangup_asked_at),
    version: call.version,
    created_at: isoOf(call.created_at),
    updated_at: isoOf(call.updated_at),
  };
}

export type RecordingShape = FoundRecording;

export const recordingFields = {
  id: idOf("rec", "The recording's ID."),
  object: oneOf(["recording"], "Always `recording`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in TEST."),
  call_id: idOf("call", "The call."),
  source: oneOf(recordingSources, "`call`: the whole call. `verb`: what a `record` verb recorded."),
  channels: integer("1, or 2 with one channel per side, yours first."),
  duration: integer("Its length in seconds."),
  size_bytes: integer("Its size."),
  expires_at: instant("When it's deleted, 30 days after it was made."),
  created_at: instant("When it was created."),
};

export const recordingSchema = shape("Recording", "A recording: a WAV file in μ-law with 8,000 samples per second.", {
  ...recordingFields,
  url: text("A link that plays it. Works for 15 minutes, for anyone who has it."),
});
