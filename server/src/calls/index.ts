export { createCall, prepareCall, writeSecretCall } from "./accept/create-call.ts";
export { misshapenCall } from "./accept/misshapen-call.ts";
export { BadSound, readWav } from "./audio/read-wav.ts";
export { resample } from "./audio/resample.ts";
export { wavOfPcm } from "./audio/write-wav.ts";
export type { CarrierLine, CarrierLineHandler, CarrierLines, LineKey, LineReport } from "./carrier/carrier-lines.ts";
export { createCarrierLineHandler } from "./carrier/create-carrier-line-handler.ts";
export { createCarrierLines } from "./carrier/create-carrier-lines.ts";
export { deleteCallBody } from "./change/delete-body.ts";
export { hangUpCall } from "./change/hang-up-call.ts";
export { rescheduleCall } from "./change/reschedule-call.ts";
export { withdrawCalls } from "./change/withdraw-calls.ts";
export { callChannel } from "./channel/call-channel.ts";
export { callErrors } from "./errors.ts";
export { findCall, listCalls } from "./read/find-calls.ts";
export { deleteRecording } from "./recording/delete-recording.ts";
export { type FoundRecording, listRecordings, readSignedRecording } from "./recording/read-recording.ts";
export { recordingSources } from "./recording/shapes.ts";
export { strayAmong } from "./recording/waiting-file.ts";
export { joinTransports } from "./routing/join-transports.ts";
export { callSecrets } from "./sealed.sql.ts";
export type { CallSettings } from "./settings.ts";
export { type CallInput, type CallRow, hangUpParties, recordModes, stepVerbs } from "./shapes.ts";
export type { Speech, Spoken } from "./speech.ts";
export { callStatuses } from "./states.ts";
export { callTasks, type LiveCalls } from "./tasks/call-tasks.ts";
export { type After, realTime } from "./timers.ts";
export {
  type CallDial,
  type CallEnd,
  type CallHandlers,
  type CallLeg,
  type CallLine,
  type CallTransport,
  CarrierAway,
  type CarrierCopy,
  type CarrierFile,
  type OutgoingCall,
  type RecordedFile,
  type RecordedWav,
} from "./transport.ts";
export { actionLimits, fastest, slowest, verbs } from "./verbs/actions.ts";
export type { Keys } from "./verbs/script.ts";
