import type { MessageError, QueueState, Tag } from "#messaging/index.ts";
import type { Sender } from "#numbers/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { PartStatus, SmsStatus } from "./states.ts";
import type { Encoding } from "./transport.ts";

/** A request for one message, its shape checked by the API surface. */
export interface SmsInput {
  from?: string | null;
  to: string;
  /** Either `body` or its alias `text`. */
  body?: string | null;
  text?: string | null;
  /** Seconds from its scheduled time until it expires. */
  validity_period?: number | null;
  /** Alias of `validity_period`. */
  expires_in?: number | null;
  max_segments?: number | null;
  smart_encoding?: boolean | null;
  /** Marketing observes the project's quiet hours; transactional only if the project says so. */
  category?: "transactional" | "marketing" | null;
  /** ISO 8601, in the future, at most thirty days ahead. */
  scheduled_at?: string | null;
  tags?: Tag[] | null;
  metadata?: Record<string, string> | null;
  status_callback?: string | null;
}

/** What a person requests with a keyword. */
export type Keyword = "stop" | "start" | "help";

export interface SmsRow extends Tenant {
  id: string;
  direction: "outbound" | "inbound";
  status: SmsStatus;
  version: number;
  sequence: number;
  last_event: string | null;
  sender: string;
  sender_kind: Sender["kind"];
  recipient: string;
  country: string;
  encoding: Encoding | "binary";
  segments: number;
  segments_sent: number;
  reference: number | null;
  keyword: Keyword | null;
  /** Which quiet hours it observes; null: none, for codes and replies. */
  category: "transactional" | "marketing" | null;
  tags: Tag[];
  metadata: Record<string, string>;
  status_callback: string | null;
  batch_id: string | null;
  error: MessageError | null;
  provider: string | null;
  state: QueueState;
  due_at: Date;
  lease: string | null;
  lease_until: Date | null;
  deaths: number;
  attempts: number;
  begun: boolean;
  settle_at: Date | null;
  sequel: string | null;
  sequel_at: Date | null;
  scheduled_at: Date | null;
  expires_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A part that a carrier accepted. */
export interface PartRow extends Tenant {
  sms_id: string;
  /** From 0. */
  place: number;
  provider: string;
  provider_message_id: string | null;
  status: PartStatus;
  code: string | null;
  provider_code: string | null;
  /** When its report arrived. */
  reported_at: Date | null;
  /** When that happened, as the carrier says, between its acceptance and the report; null if it doesn't say. */
  occurred_at: Date | null;
  created_at: Date;
}

/** A message with its text, null once that is no longer retained, and the ids that carriers gave its parts. */
export interface FoundSms {
  sms: SmsRow;
  body: string | null;
  provider_message_ids: string[];
}
