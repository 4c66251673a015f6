import type { Destination } from "#messaging/index.ts";
import type { Keys } from "./verbs/script.ts";

/** A call to be placed. */
export interface OutgoingCall {
  project_id: string;
  livemode: boolean;
  call_id: string;
  /** E.164 with +, as is `to`. */
  from: string;
  to: string;
  /** ISO 3166 alpha-2 of `to`. */
  country: string;
  /** The longest ring time. */
  ringMs: number;
  /** The longest duration after the answer. */
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

/** What happens to a call, in order. `ended` comes exactly once, always, and nothing after it. */
export interface CallHandlers {
  /** Which trunk or account has the call, such as `sip:main`. Called again when another one gets it because the first refused. */
  carriedBy(provider: string): void;
  ringing(at: Date): void;
  answered(at: Date, leg: CallLeg): void;
  /** The callee pressed a key: 0–9, * or #. */
  digit(digit: string, at: Date): void;
  ended(end: CallEnd, at: Date): void;
}

/** A recording as a WAV in memory. */
export interface RecordedWav {
  wav: Buffer;
  channels: 1 | 2;
  durationMs: number;
}

/** Where the recording of a whole call is at a carrier: any process with the account can fetch it from there. */
export interface CarrierCopy {
  /** The account, as `carriedBy` names it. */
  provider: string;
  /** The carrier's ID of the call. */
  call_sid: string;
  channels: 1 | 2;
}

/** A carrier doesn't respond, or not properly right now: requests about its other recordings would fail too. */
export class CarrierAway extends Error {}

/** A complete recording at a carrier. */
export interface CarrierFile {
  /** Throws BadSound if it can't be stored here at all, and CarrierAway if the carrier doesn't respond. */
  download(): Promise<RecordedWav>;
  /**
   * Deletes it there, unless the operator keeps recordings at the carrier. Throws if the carrier doesn't confirm that, with CarrierAway if
   * it doesn't respond.
   */
  remove(): Promise<void>;
}

/** The recording of a whole call as a file, or at a carrier: then `wav` is where it is noted until it is stored. */
export type RecordedFile =
  | { wav: string; channels: 1 | 2; durationMs: number }
  | {
      wav: string;
      copy: CarrierCopy;
      /** Waits up to a minute until it is complete. Throws if it isn't then; null if the carrier lists none. */
      find(): Promise<CarrierFile | null>;
    };

/** An answered call's media: signed 16-bit PCM, 8 000 Hz, mono. */
export interface CallLeg {
  /** Who answered, if the transport detects that. */
  readonly answeredBy?: "human" | "machine" | "unknown";
  /** Plays audio in real time, one at a time. `stopped`: the signal fired, or the call ended. */
  play(pcm: Buffer | AsyncIterable<Buffer>, signal: AbortSignal): Promise<"played" | "stopped">;
  /** Sends keys; `w` pauses half a second and `W` a second. */
  sendDigits(digits: string, signal: AbortSignal): Promise<void>;
  /** The callee's audio as it arrives, in frames of 20 ms; the returned function ends it. */
  onAudio(listener: (pcm: Buffer) => void): () => void;
  /**
   * The recording of the whole call as `OutgoingCall.record` requested it, once it has ended. The caller removes a file. null if nothing
   * was recorded.
   */
  recording(): Promise<RecordedWav | RecordedFile | null>;
  hangUp(): void;
  /**
   * For a carrier that collects keys itself and reports them together: plays a prompt that any key interrupts, and waits for keys. They are
   * passed to `digit`, one after the other, before this resolves: `waited` once no more keys are pressed.
   */
  collect?(prompt: Buffer | null, keys: Keys, signal: AbortSignal): Promise<"waited" | "stopped">;
  /** For a carrier that records itself: the callee's audio, until a key or the time limit ends it. */
  record?(wanted: { seconds: number; finish: string }, signal: AbortSignal): Promise<Buffer>;
  /** Called when everything that verbs recorded is stored here: a carrier may delete its copies. Throws if it doesn't delete all. */
  deleteRecordings?(): Promise<void>;
}

/** A line of a transport, reserved for one call. */
export interface CallLine {
  /** The transport's name, followed by that of the trunk or account if it has reserved one, such as `sip:main`. */
  readonly name: string;
  /** True if the transport can't carry the call right now, so that dialing it only says why. */
  readonly isUnusable?: boolean;
  /** Places the call on this line. Never throws; a failure is an end. */
  dial(call: OutgoingCall, handlers: CallHandlers): CallDial;
  /** Gives the line back without dialing. */
  release(): void;
}

export interface CallDial {
  /** Cancels a call that wasn't answered and ends one that was. Can be called more than once. */
  hangUp(by: "caller" | "limit"): void;
}

/** A way to place calls. */
export interface CallTransport {
  readonly name: string;
  /** The maximum number of concurrent calls. */
  readonly channels: number;
  /** False while this process can't place any call; calls wait, or another process takes them. */
  readonly isOpen: boolean;
  /** True if it serves calls to a number. */
  takes(number: Destination): boolean;
  /** False if it can't carry calls to a number right now, although it's open: dialing only says why. If absent, it can. */
  canCarry?(number: Destination): boolean;
  /**
   * Counts free lines: the returned function takes one for a call to a number, and returns false if there are none left. If absent, there
   * are as many as `channels`.
   */
  countFree?(): (number: Destination) => boolean;
  /**
   * Reserves a line, and resolves once the call may start, which is within seconds. null: no line is free so soon, or the signal fired.
   * If absent, a call can start right away.
   */
  reserve?(call: OutgoingCall, signal: AbortSignal): Promise<CallLine | null>;
  /** Places a call without a reserved line. Never throws; a failure is an end. */
  dial(call: OutgoingCall, handlers: CallHandlers): CallDial;
  /**
   * Finds the recording of a whole call at its carrier; null if it lists none. Throws if it isn't complete yet, and CarrierAway if the
   * carrier doesn't respond.
   */
  findRecording?(copy: CarrierCopy): Promise<CarrierFile | null>;
  close(): Promise<void>;
}
