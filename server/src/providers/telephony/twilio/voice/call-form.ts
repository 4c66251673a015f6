import type { OutgoingCall } from "#calls/index.ts";
import type { Addresses } from "./addresses.ts";
import type { VoiceAccount } from "./settings.ts";

/** The form that asks a carrier to place a call. */
export function formOf(
  call: OutgoingCall,
  { detectsMachines }: VoiceAccount,
  { next, status }: Addresses,
): Record<string, string | string[]> {
  const { from, to, ringMs, limitMs, record } = call;
  return {
    To: to,
    From: from,
    Url: next(1),
    Method: "POST",
    StatusCallback: status,
    StatusCallbackMethod: "POST",
    StatusCallbackEvent: ["initiated", "ringing", "answered", "completed"],
    Timeout: String(Math.ceil(ringMs / 1_000)),
    TimeLimit: String(Math.ceil(limitMs / 1_000)),
    ...(record === false ? {} : { Record: "true", RecordingChannels: record, Trim: "do-not-trim" }),
    ...(detectsMachines ? { MachineDetection: "Enable" } : {}),
  };
}
