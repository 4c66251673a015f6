import type { MessageError, QueueState, Tag } from "#messaging/index.ts";
import type { Sender } from "#numbers/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { PartStatus, SmsStatus } from "./states.ts";
import type { Encoding } from "./transport.ts";

/** A request for one message, its shape checked by the surface. */
export interface SmsInput {
  from?: string | null;
  to: string;
  /** One of `body` and `text`, which is another name of it. */
  body?: string | null;
  text?: string | null;
  /** Seconds after which it is given up, from its scheduled time on. */
  validity_period?: number | null;
  /** Another name of `validity_period`. */
  expires_in?: number | null;
  max_segments?: number | null;
  smart_encoding?: boolean | null;
  /** Marketing keeps the project's quiet hours; transactional only where the project says so. */
  category?: "transactional" | "marketing" | null;
  /** ISO 8601, in the future, at most thirty days ahead. */
  scheduled_at?: string | null;
  tags?: Tag[] | null;
  metadata?: Record<string, string> | null;
  status_callback?: string | null;
}

/** What a person asks for by a word that they send. */
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
  /** Whose quiet hours it keeps; null: none, as codes and answers. */
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
  reported_at: Date | null;
  created_at: Date;
}

/** A message with its text, null once that is no longer kept, and the ids that carriers gave its parts. */
export interface FoundSms {
  sms: SmsRow;
  body: string | null;
  provider_message_ids: string[];
}
