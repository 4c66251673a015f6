/** Says a text. */
export interface SayAction {
  verb: "say";
  text: string;
  /** If null, these three take the call's values. */
  voice: string | null;
  language: string | null;
  speed: number | null;
  loop: number;
}

/** Plays audio from a URL. */
export interface PlayAction {
  verb: "play";
  url: string;
  loop: number;
}

interface PauseAction {
  verb: "pause";
  /** In seconds. */
  length: number;
}

/** What may be played while waiting for keys. */
export type PromptAction = SayAction | PlayAction | PauseAction;

/** Waits for keys. */
export interface GatherAction {
  verb: "gather";
  /** The name of the keys in the call's `gathered`. */
  name: string;
  num_digits: number | null;
  /** The key that ends it; empty: none. */
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
  /** In seconds. */
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

/** One step of what a call does, with every field present. */
export type Action = SayAction | PlayAction | PauseAction | GatherAction | RecordAction | DtmfAction | HangupAction;

export const verbs = ["say", "play", "gather", "pause", "record", "dtmf", "hangup"] as const satisfies readonly Action["verb"][];

/** Limits of actions, in requests and in responses of a merchant's own address. */
export const actionLimits = {
  /** Verbs in total, including those within gathers. */
  verbs: 50,
  /** Characters to say in total. */
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
/** The form of a gather's name. */
export const gatherName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Keys to send, with pauses of half a second and a second. */
export const sentDigits = /^[0-9A-D*#wW]{1,100}$/;
export const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;
export const voiceName = /^[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,63}$/;
