import Type, { type TSchema } from "typebox";
import { callStatuses } from "#calls/index.ts";
import { gatheredOut, recordingFields } from "../calls/call.ts";
import { idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

/** Parts of the payloads about calls. They may grow: receivers must ignore unknown fields. */
export const eventCall = shapeOf("EventCall", "A call as events carry it: without its text and audio.", {
  id: idOf("call", "The call's ID."),
  object: oneOf(["call"], "Always `call`."),
  status: text("Its status after this event.", ["completed"]),
  direction: oneOf(["outbound"], "Always `outbound`."),
  from: text("The caller ID.", ["+15005550006"]),
  to: text("The number called.", ["+15005552000"]),
  country: text("The country of `to`.", ["US"]),
  duration: integerOrNull("The seconds from the answer to the end."),
  ring_duration: integerOrNull("How many seconds it rang."),
  sip_code: integerOrNull("The SIP response code."),
  hangup_by: textOrNull("Who ended the call."),
  answered_by: textOrNull("Who answered: `human`, `machine` or `unknown`; null if no one answered yet."),
  gathered: gatheredOut,
  digits: text("All keys pressed. Empty once they're deleted.", ["1234#"]),
  tags: tagsOut,
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  batch_id: textOrNull("Always null, because calls can't be placed in batches."),
  error: messageError,
  created_at: instant("When it was accepted."),
  answered_at: instantOrNull("When it was answered."),
  ended_at: instantOrNull("When it ended."),
});

const gathered = Type.Object(
  {
    name: text("The gather's name.", ["pin"]),
    digits: textOrNull("The keys pressed; empty if none, null once they're deleted.", { examples: ["1234"] }),
    attempts: integer("How many times it asked."),
  },
  { description: "The keys pressed." },
);
const recording = Type.Object(recordingFields, { description: "The recording. Get its link from the API." });

const call = {
  call: Type.Unsafe<object>({ $ref: "EventCall#" }),
  previous_status: textOrNull("Its status before this event."),
  sequence: integer("The event's number for this call, starting at 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

/** The data of each event about calls. */
export const callPayloads: Record<string, Record<string, TSchema>> = {
  ...Object.fromEntries(callStatuses.map((status) => [`call.${status}`, call])),
  "call.gathered": { ...call, gathered },
  "call.recording_ready": { ...call, recording },
};

/** The meaning of each of them, for the OpenAPI document. */
export const callSentences: Record<string, string> = {
  "call.scheduled": "A call was scheduled.",
  "call.queued": "A call was queued, right away or at its scheduled time.",
  "call.initiated": "A call was dialed.",
  "call.ringing": "The callee's phone is ringing.",
  "call.in_progress": "A call was answered.",
  "call.gathered": "A `gather` ended; the event has the keys pressed.",
  "call.recording_ready": "A recording of a call is ready to play.",
  "call.completed": "An answered call ended.",
  "call.busy": "The callee was busy.",
  "call.no_answer": "No one answered in time.",
  "call.failed": "A call couldn't be placed, or was lost. `error` says why.",
  "call.canceled": "A call was hung up before anyone answered.",
};
