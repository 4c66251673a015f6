import Type from "typebox";
import { type CallRow, callStatuses, type FoundRecording, hangUpParties, recordingSources, recordModes, stepVerbs } from "#calls/index.ts";
import { isoOf } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

export type CallShape = ReturnType<typeof showCall>;

const digitsOut = "Keys that the callee pressed, in order.";
export const gatheredOut = Type.Record(Type.String(), Type.String(), { description: "What was pressed for each `gather`, by its name." });

export const callSchema = shape("Call", "A voice call.", {
  id: idOf("call", "The call's id."),
  object: oneOf(["call"], "Always `call`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  status: oneOf(callStatuses, "How far it came."),
  last_event: textOrNull("The newest event's name without `call.`."),
  direction: oneOf(["outbound"], "Always `outbound`."),
  from: text("The number that the callee sees.", ["+15005550006"]),
  to: text("The number that is called.", ["+15005552000"]),
  country: text("The country of `to`, ISO 3166; `ZZ` for none.", ["US"]),
  text: textOrNull("What is said, as it was asked for; null once it is no longer kept, 30 days after the call ended. Likewise the next four."),
  audio_url: textOrNull("What is played."),
  actions: Type.Unsafe<object[] | null>({
    type: ["array", "null"],
    items: { type: "object", additionalProperties: true, description: "A verb." },
    description: "The verbs, with what was left out.",
  }),
  answer_url: textOrNull("Who is asked for actions."),
  fallback_text: textOrNull("What is said where an address or a sound fails."),
  send_digits: textOrNull("Keys that are sent first."),
  steps: Type.Array(
    Type.Object(
      {
        at: instant("When."),
        verb: oneOf(stepVerbs, "What was done. `ask`: an address of yours was asked what to do."),
        text: textOrNull("`say`: what was said."),
        url: textOrNull("`play`, `ask`: the address."),
        name: textOrNull("`gather`: what the keys are called."),
        digits: textOrNull("`gather`: the keys that were pressed. `dtmf`: the keys that were sent."),
      },
      { additionalProperties: false, description: "A step." },
    ),
    { description: "What was done from the answer on, in order, whoever asked for it. Told once the call has ended; empty once that is no longer kept." },
  ),
  voice: textOrNull("The voice."),
  language: textOrNull("The language."),
  speed: Type.Number({ description: "How fast texts are said; 1 is the voice's own speed." }),
  timeout: integer("Seconds that it may ring."),
  time_limit: integer("Seconds that it may last."),
  record: Type.Unsafe<(typeof recordModes)[number] | null>({ enum: [...recordModes, null], description: "How it is recorded; null: it is not." }),
  sip_code: integerOrNull("The network's answer, a SIP code."),
  hangup_by: Type.Unsafe<(typeof hangUpParties)[number] | null>({
    enum: [...hangUpParties, null],
    description: "Who ended it: `caller` is this side, `limit` its time limit, `transport` a fault on the way.",
  }),
  answered_by: textOrNull("Who answered: `human` or `machine` where the carrier finds that out, else `unknown`; null while nobody did."),
  gathered: gatheredOut,
  digits: text(digitsOut, ["1234#"]),
  duration: integerOrNull("Seconds from the answer to the end, begun ones whole; null before that, and where nobody answered."),
  ring_duration: integerOrNull("Seconds that it rang."),
  tags: tagsOut,
  metadata: metadataOut,
  status_callback: textOrNull("Who else is told of its events."),
  provider: textOrNull("What carried it: `simulator`, `sip`, or `http:` and the name of the account."),
  error: messageError,
  scheduled_at: instantOrNull("When it is to be placed."),
  expires_at: instant("When it is given up, if it could not be placed by then."),
  started_at: instantOrNull("When the network was asked to place it."),
  answered_at: instantOrNull("When it was answered."),
  ended_at: instantOrNull("When it ended."),
  hangup_requested_at: instantOrNull("When you wanted it to end."),
  version: integer("Grows by one with each change of its status or its time."),
  created_at: instant("When it was accepted."),
  updated_at: instant("When it was last changed."),
});

const nothing = { text: null, audio_url: null, actions: null, answer_url: null, fallback_text: null, send_digits: null, steps: [] };

export function showCall(call: CallRow) {
  const { id, project_id, livemode, status, last_event, country, voice, language, speed, record, sip_code, hangup_by, answered_by, gathered, digits } = call;
  const { text: said, audio_url, actions, answer_url, fallback_text, send_digits, steps = [] } = call.said ?? nothing;
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
    ...{ text: said, audio_url, actions, answer_url, fallback_text, send_digits },
    steps: steps.map(({ at, verb, text: spoken, url, name, digits: keys }) => ({ at: new Date(at), verb, text: spoken, url, name, digits: keys })),
    ...{ voice, language, speed },
    timeout: call.ring_s,
    time_limit: call.limit_s,
    ...{ record, sip_code, hangup_by, answered_by, gathered, digits },
    duration: call.duration,
    ring_duration: call.ring_duration,
    tags: call.tags,
    metadata: call.metadata,
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
  id: idOf("rec", "The recording's id."),
  object: oneOf(["recording"], "Always `recording`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  call_id: idOf("call", "The call."),
  source: oneOf(recordingSources, "`call`: all of it. `verb`: what a `record` verb kept."),
  channels: integer("1, or 2 with a channel for each side, yours first."),
  duration: integer("Its length in seconds."),
  size_bytes: integer("Its size."),
  expires_at: instant("When it is removed, 30 days after it was made."),
  created_at: instant("When it was made."),
};

export const recordingSchema = shape("Recording", "A recording: a WAV file, μ-law, 8,000 samples a second.", {
  ...recordingFields,
  url: text("An address that plays it to whoever holds it, for 15 minutes."),
});
