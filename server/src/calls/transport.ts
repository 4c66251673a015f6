import type { Keys } from "./verbs/script.ts";

/** One call that is to be placed. */
export interface OutgoingCall {
  project_id: string;
  livemode: boolean;
  call_id: string;
  /** E.164 with +, as is `to`. */
  from: string;
  to: string;
  /** ISO 3166 alpha-2 of `to`. */
  country: string;
  /** How long it may ring. */
  ringMs: number;
  /** How long it may last once it was answered. */
  limitMs: number;
  record: false | "mono" | "dual";
}

/** How a call ended. `reason` is the network's own phrase. */
export type CallEnd = {
  status: "completed" | "busy" | "no_answer" | "failed" | "canceled";
  sip_code: number | null;
  reason: string | null;
  hangup_by: "caller" | "callee" | "limit" | "transport" | null;
  error: { code: string; message: string } | null;
};

/** What becomes of a call, in the order in which it happens. `ended` comes exactly once, always, and nothing after it. */
export interface CallHandlers {
  ringing(at: Date): void;
  answered(at: Date, leg: CallLeg): void;
  /** The callee pressed a key: 0–9, * or #. */
  digit(digit: string, at: Date): void;
  ended(end: CallEnd, at: Date): void;
}

/** An answered call's media: signed 16-bit PCM, 8 000 Hz, mono. */
export interface CallLeg {
  /** Who answered, where the way out finds that out. */
  readonly answeredBy?: "human" | "machine" | "unknown";
  /** Plays sound at its own pace; one at a time. `stopped`: the signal fired, or the call ended. */
  play(pcm: Buffer | AsyncIterable<Buffer>, signal: AbortSignal): Promise<"played" | "stopped">;
  /** Sends keys; `w` waits half a second and `W` a second. */
  sendDigits(digits: string, signal: AbortSignal): Promise<void>;
  /** What the callee says as it comes, 20 ms each; the answer ends it. */
  hear(listener: (pcm: Buffer) => void): () => void;
  /** The whole call as `OutgoingCall.record` asked for it, once it has ended: the WAV itself, or the path of a file that the caller removes. Null where nothing was recorded. */
  recording(): Promise<{ wav: Buffer | string; channels: 1 | 2; durationMs: number } | null>;
  hangUp(): void;
  /**
   * For a carrier that collects keys itself and reports them together: plays a prompt that any key interrupts, and waits for keys. They are
   * passed to `digit`, one after the other, before this resolves: `waited` once no more keys are pressed.
   */
  collect?(prompt: Buffer | null, keys: Keys, signal: AbortSignal): Promise<"waited" | "stopped">;
  /** For a carrier that records itself: what the callee says, until a key or the time ends it. */
  record?(wanted: { seconds: number; finish: string }, signal: AbortSignal): Promise<Buffer>;
  /** Everything that was recorded is kept here: a carrier that has it as well may forget it. */
  forget?(): Promise<void>;
}

export interface CallDial {
  /** Which way of the transport's it went, where that has several. */
  readonly provider?: string;
  /** Cancels a call that was not answered and ends one that was. More than once is once. */
  hangUp(by: "caller" | "limit"): void;
}

/** A way for calls to leave. */
export interface CallTransport {
  readonly name: string;
  /** The maximum number of concurrent calls. */
  readonly channels: number;
  /** False while this process can place no call at all; they wait, or another process takes them. */
  readonly isOpen: boolean;
  /** Whether calls to a country can go this way. */
  takes(country: string): boolean;
  /** Where it stands for several: the one for a call to a country now. */
  route?(country: string): CallTransport;
  /** Never throws; what goes wrong is an end. */
  dial(call: OutgoingCall, handlers: CallHandlers): CallDial;
  close(): Promise<void>;
}
