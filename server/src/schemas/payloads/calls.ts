import Type, { type TSchema } from "typebox";
import { callStatuses } from "#calls/index.ts";
import { gatheredOut, recordingFields } from "../calls/call.ts";
import { idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { tagsOut } from "../fields/labels.ts";
import { messageError } from "../mail/email.ts";

/** Parts of the payloads about calls. They may grow: a receiver must bear fields that it does not know. */
export const eventCall = shapeOf("EventCall", "A call as every event carries it: without what it says and plays.", {
  id: idOf("call", "The call's id."),
  object: oneOf(["call"], "Always `call`."),
  status: text("Where it stands after this event.", ["completed"]),
  direction: oneOf(["outbound"], "Always `outbound`."),
  from: text("The number that the callee sees.", ["+15005550006"]),
  to: text("The number that is called.", ["+15005552000"]),
  country: text("The country of `to`.", ["US"]),
  duration: integerOrNull("Seconds from the answer to the end."),
  ring_duration: integerOrNull("Seconds that it rang."),
  sip_code: integerOrNull("The network's answer."),
  hangup_by: textOrNull("Who ended it."),
  answered_by: textOrNull("Who answered: `human`, `machine` or `unknown`; null while nobody did."),
  gathered: gatheredOut,
  digits: text("All keys that were pressed.", ["1234#"]),
  tags: tagsOut,
  metadata: Type.Record(Type.String(), Type.String(), { description: "The merchant's own keys and values." }),
  error: messageError,
  created_at: instant("When it was accepted."),
  answered_at: instantOrNull("When it was answered."),
  ended_at: instantOrNull("When it ended."),
});

const gathered = Type.Object(
  { name: text("The gather's name.", ["pin"]), digits: text("What was pressed; empty for nothing.", ["1234"]), attempts: integer("How often it asked.") },
  { description: "What was pressed." },
);
const recording = Type.Object(recordingFields, { description: "The recording. Ask the API for its address." });

const call = {
  call: Type.Unsafe<object>({ $ref: "EventCall#" }),
  previous_status: textOrNull("Where it stood before."),
  sequence: integer("Counts the events of this call, from 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

/** The data of each event about calls. */
export const callPayloads: Record<string, Record<string, TSchema>> = {
  ...Object.fromEntries(callStatuses.map((status) => [`call.${status}`, call])),
  "call.gathered": { ...call, gathered },
  "call.recording_ready": { ...call, recording },
};

/** What each of them means, for the document. */
export const callSentences: Record<string, string> = {
  "call.scheduled": "A call was accepted for later.",
  "call.queued": "A call was accepted, or its time came.",
  "call.initiated": "The network was asked to place a call.",
  "call.ringing": "It rings at the callee.",
  "call.in_progress": "A call was answered.",
  "call.gathered": "A `gather` of a call ended, with what was pressed.",
  "call.recording_ready": "A recording of a call is kept and can be listened to.",
  "call.completed": "An answered call ended.",
  "call.busy": "The callee was busy.",
  "call.no_answer": "Nobody answered in time.",
  "call.failed": "A call could not be placed, or was lost. Its `error` says why.",
  "call.canceled": "A call was hung up before anybody answered.",
};
