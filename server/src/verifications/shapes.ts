import type { MessageError, SendingTier } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { VerificationStatus } from "./states.ts";

/** The channels that a code can be sent through, by their names in the API. */
export const codeChannels = ["sms", "call", "email"] as const;
export type CodeChannel = (typeof codeChannels)[number];

/** What a code is for, as its message says it. */
export const templateNames = ["code", "sign_in", "payment"] as const;
export type TemplateName = (typeof templateNames)[number];

/** Why a code was sent: the verification started, a resend was requested, or another channel failed. */
export const sendCauses = ["start", "resend", "fallback"] as const;
type SendCause = (typeof sendCauses)[number];

/** A request for one verification, its shape checked by the API surface. */
export interface VerificationInput {
  to: string;
  channels: CodeChannel[];
  from?: string | null;
  locale?: string | null;
  code_length?: number | null;
  /** How many seconds the code is valid for. */
  expires_in?: number | null;
  /** Seconds after which the next channel is tried. */
  fallback_after?: number | null;
  template?: TemplateName | null;
  origin?: string | null;
  metadata?: Record<string, string> | null;
}

/** One message that contained the code. */
export interface SentCode {
  channel: CodeChannel;
  message_id: string;
  cause: SendCause;
  /** ISO 8601. */
  created_at: string;
}

/** Its fields in display order, which the database doesn't preserve. */
export function showSent({ channel, message_id, cause, created_at }: SentCode): SentCode {
  return { channel, message_id, cause, created_at };
}

export interface VerificationRow extends Tenant {
  id: string;
  status: VerificationStatus;
  version: number;
  sequence: number;
  last_event: string | null;
  recipient: string;
  country: string | null;
  channels: CodeChannel[];
  channel: CodeChannel;
  sender: string | null;
  locale: string | null;
  template: TemplateName;
  origin: string | null;
  code_length: number;
  key_number: number;
  checks_left: number;
  sends_left: number;
  sends: SentCode[];
  fallback_s: number | null;
  fallback_at: Date | null;
  error: MessageError | null;
  tier: SendingTier;
  metadata: Record<string, string>;
  due_at: Date;
  looks: number;
  expires_at: Date;
  ended_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export type VerificationKey = Tenant & { id: string };
