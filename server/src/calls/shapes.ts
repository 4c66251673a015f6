import type { MessageError, QueueState, Tag } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { CallStatus } from "./states.ts";

/** A request for one call that passed its schema. */
export interface CallInput {
  /** null: the project's usual number. The API requires one. */
  from: string | null;
  to: string;
  text?: string | null;
  audio_url?: string | null;
  actions?: unknown;
  answer_url?: string | null;
  fallback_text?: string | null;
  voice?: string | null;
  language?: string | null;
  speed?: number | null;
  timeout?: number | null;
  time_limit?: number | null;
  record?: boolean | string | null;
  send_digits?: string | null;
  tags?: Tag[] | null;
  metadata?: Record<string, string> | null;
  status_callback?: string | null;
  scheduled_at?: string | null;
  expires_in?: number | null;
}

/** What a call says and does: one of the four, as requested. */
export interface CallContent {
  text: string | null;
  audio_url: string | null;
  actions: object[] | null;
  answer_url: string | null;
  /** Said if `answer_url`, an `action_url` or an audio file fails. */
  fallback_text: string | null;
  /** Keys sent at the beginning. */
  send_digits: string | null;
  /** What was done after the answer; written when the call ends. */
  steps?: CallStep[];
}

export const stepVerbs = ["say", "play", "gather", "record", "dtmf", "ask"] as const;

/** An action on an answered call, from the script or the merchant's server. */
export interface CallStep {
  /** ISO 8601. */
  at: string;
  /** `ask`: an address was requested. */
  verb: (typeof stepVerbs)[number];
  text: string | null;
  url: string | null;
  /** The gather's name. */
  name: string | null;
  /** Keys: pressed by the callee, or sent to them. */
  digits: string | null;
}

export const recordModes = ["mono", "dual"] as const;
export type RecordMode = (typeof recordModes)[number];

export const hangUpParties = ["caller", "callee", "limit", "transport"] as const;
type HangUpBy = (typeof hangUpParties)[number];

/** A call and its place in the queue: one row. */
export interface CallRow extends Tenant {
  id: string;
  status: CallStatus;
  version: number;
  sequence: number;
  last_event: string | null;
  from_number: string;
  to_number: string;
  /** ISO 3166 alpha-2 of `to_number`. */
  country: string;
  /** null once it is no longer retained. */
  said: CallContent | null;
  /** The same for a secret text: shown to no one, and deleted when the call ends. */
  sealed_said: string | null;
  voice: string | null;
  language: string | null;
  speed: number;
  ring_s: number;
  limit_s: number;
  record: RecordMode | null;
  tags: Tag[];
  metadata: Record<string, string>;
  status_callback: string | null;
  batch_id: string | null;
  provider: string | null;
  sip_code: number | null;
  hangup_by: HangUpBy | null;
  answered_by: string | null;
  /** The keys pressed for each gather, by its name. */
  gathered: Record<string, string>;
  /** All keys that were pressed. */
  digits: string;
  error: MessageError | null;
  duration: number | null;
  ring_duration: number | null;
  scheduled_at: Date | null;
  expires_at: Date;
  started_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  hangup_asked_at: Date | null;
  state: QueueState;
  due_at: Date;
  lease: string | null;
  lease_until: Date | null;
  attempts: number;
  deaths: number;
  created_at: Date;
  updated_at: Date;
}

export type CallKey = Tenant & { id: string };
