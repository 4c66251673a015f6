/** Says a text. */
export interface SayAction {
  verb: "say";
  text: string;
  /** These three are the call's where they are null. */
  voice: string | null;
  language: string | null;
  speed: number | null;
  loop: number;
}

/** Plays a sound from an address. */
export interface PlayAction {
  verb: "play";
  url: string;
  loop: number;
}

interface PauseAction {
  verb: "pause";
  /** Seconds. */
  length: number;
}

/** What may be heard while keys are waited for. */
export type PromptAction = SayAction | PlayAction | PauseAction;

/** Waits for keys. */
export interface GatherAction {
  verb: "gather";
  /** What the keys are called in the call's `gathered`. */
  name: string;
  num_digits: number | null;
  /** The key that ends it; empty: none does. */
  finish_on_key: string;
  /** Seconds without a key after which it ends. */
  timeout: number;
  max_attempts: number;
  /** Stops at the first key. */
  actions: PromptAction[];
  action_url: string | null;
}

/** Records what the callee says. */
export interface RecordAction {
  verb: "record";
  /** Seconds. */
  max_length: number;
  finish_on_key: string;
  action_url: string | null;
}

/** Sends keys. */
export interface DtmfAction {
  verb: "dtmf";
  digits: string;
}

interface HangupAction {
  verb: "hangup";
}

/** One step of what a call does, with nothing left out. */
export type Action = SayAction | PlayAction | PauseAction | GatherAction | RecordAction | DtmfAction | HangupAction;

export const verbs = ["say", "play", "gather", "pause", "record", "dtmf", "hangup"] as const satisfies readonly Action["verb"][];

/** What actions may be, in requests and in the answers of a merchant's own address. */
export const actionLimits = {
  /** Verbs in all, those within gathers counted. */
  verbs: 50,
  /** Characters to say in all. */
  characters: 4_000,
  loop: 10,
  pauseSeconds: 60,
  gatherSeconds: 60,
  gatherDigits: 32,
  attempts: 10,
  recordSeconds: 300,
  sentDigits: 100,
  urlLength: 2_048,
  voiceLength: 64,
} as const;

export const slowest = 0.5;
export const fastest = 2;
/** A name that gathered keys may have. */
export const gatherName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Keys to send, with pauses of half a second and a second. */
export const sentDigits = /^[0-9A-D*#wW]{1,100}$/;
export const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
export const voiceName = /^[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,63}$/;
