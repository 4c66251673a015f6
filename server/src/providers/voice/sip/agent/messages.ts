import type { CallEnd } from "#calls/index.ts";
import type { DialledCall } from "../call/outbound-call.ts";
import type { Recording } from "../media/record/wav-recorder.ts";
import type { TrunkState } from "../trunk/trunk.ts";

/**
 * Commands from the serving thread to the calling thread. `id` identifies a call, `task` something to say or dial. A call may be dialed
 * once its `reserve` was granted, or without one.
 */
export type Command =
  | { do: "reserve"; id: number; call: DialledCall }
  | { do: "release"; id: number }
  | { do: "dial"; id: number; call: DialledCall }
  | { do: "hangUp"; id: number; by: "caller" | "limit" }
  | { do: "play"; id: number; task: number }
  | { do: "pcm"; id: number; task: number; samples: Int16Array }
  | { do: "pcmEnd"; id: number; task: number }
  | { do: "stop"; id: number; task: number }
  | { do: "digits"; id: number; task: number; digits: string }
  | { do: "hear"; id: number; isOn: boolean }
  | { do: "close" };

/** Reports from the calling thread. `at` is the process's monotonic clock, which both threads share. */
export type Report =
  | { type: "open" }
  | { type: "fault"; message: string }
  /** An error of ours that one message or one call had; the others continue. */
  | { type: "error"; message: string }
  | { type: "trunk"; state: TrunkState }
  /** `trunk` is the name of the reserved one; without one, a granted line only lets dialing say why no trunk can carry the call. */
  | { type: "reserved"; id: number; isGranted: boolean; trunk: string | null }
  | { type: "carriedBy"; id: number; trunk: string }
  | { type: "ringing"; id: number; at: number }
  | { type: "answered"; id: number; at: number }
  | { type: "digit"; id: number; digit: string; at: number }
  | { type: "ended"; id: number; end: CallEnd; at: number }
  | { type: "recorded"; id: number; recording: Recording | null }
  | { type: "low"; id: number; task: number }
  | { type: "done"; id: number; task: number; result: "played" | "stopped" }
  | { type: "heard"; id: number; frame: Int16Array }
  | { type: "closed" };
