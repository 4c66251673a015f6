import type { MessageError, QueueState, Tag } from "#messaging/index.ts";
import type { AnyText, Tenant } from "#platform/index.ts";
import type { EmailStatus } from "./states.ts";
import type { BounceKind } from "./transport.ts";

/** One address, or several: returned in the shape that it was sent in. */
export type Addresses = string | string[];

export interface AttachmentInput {
  filename: string;
  /** Base64, or its bytes as the API surface decoded them: null if it isn't base64. */
  content: string | { bytes: Buffer | null };
  content_type?: string | null;
  content_id?: string | null;
}

/** A request for one message, its shape checked by the API surface. */
export interface EmailInput {
  from: string;
  to: Addresses;
  subject: string;
  html?: AnyText | null;
  text?: AnyText | null;
  cc?: Addresses | null;
  bcc?: Addresses | null;
  reply_to?: Addresses | null;
  headers?: Record<string, string> | null;
  attachments?: AttachmentInput[] | null;
  tracking?: { opens?: boolean; clicks?: boolean } | null;
  unsubscribe?: boolean | null;
  category?: "transactional" | "marketing";
  tags?: Tag[] | null;
  metadata?: Record<string, string> | null;
  /** ISO 8601, in the future, at most thirty days ahead. */
  scheduled_at?: string | Date | null;
  /** Seconds from its scheduled time until it expires. */
  expires_in?: number | null;
  status_callback?: string | null;
}

export interface Addressees {
  to: Addresses;
  cc: Addresses | null;
  bcc: Addresses | null;
  reply_to: Addresses | null;
}

export interface Features {
  opens: boolean;
  clicks: boolean;
  unsubscribe: boolean;
}

export interface EmailRow extends Tenant {
  id: string;
  status: EmailStatus;
  version: number;
  sequence: number;
  last_event: string | null;
  from_address: string;
  from_text: string;
  addressees: Addressees;
  subject: string;
  category: "transactional" | "marketing";
  tags: Tag[];
  metadata: Record<string, string>;
  features: Features;
  message_id: string;
  status_callback: string | null;
  batch_id: string | null;
  size_bytes: number;
  /** Its texts are secret: they are sealed, shown to no one, and deleted once it was sent. */
  secret: boolean;
  recipients: number;
  delay_told: boolean;
  opens: number;
  clicks: number;
  error: MessageError | null;
  provider: string | null;
  scheduled_at: Date | null;
  expires_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface Bounce extends BounceKind {
  smtp_code: number | null;
  enhanced_code: string | null;
  diagnostic: string | null;
}

export interface RecipientRow extends Tenant {
  email_id: string;
  position: number;
  id: string;
  type: "to" | "cc" | "bcc";
  address: string;
  domain: string;
  status: EmailStatus;
  state: QueueState;
  due_at: Date;
  expires_at: Date;
  /** How many workers were lost with it since its last attempt, as read from the database. */
  deaths?: number;
  /** The claim that holds it, as read from the database. */
  lease?: string | null;
  lease_until?: Date | null;
  attempts: number;
  step: number;
  smtp_code: number | null;
  enhanced_code: string | null;
  diagnostic: string | null;
  bounce: BounceKind | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** How an attempt ended; `started` while it is in progress. */
export const attemptResults = ["started", "accepted", "deferred", "refused", "unknown", "worker_lost"] as const;
export type AttemptResult = (typeof attemptResults)[number];

export interface StoredAttachment {
  filename: string;
  content_type: string | null;
  content_id: string | null;
  size_bytes: number;
  /** Key of its bytes in the file store. */
  file: string;
}

export interface EmailBody<Text extends AnyText = string> {
  html: Text | null;
  text: Text | null;
  headers: Record<string, string>;
  attachments: StoredAttachment[];
}

/** Texts for another thread. */
export type SendBody = EmailBody<AnyText>;

/** A message as operations return it. */
export interface EmailBundle {
  email: EmailRow;
  recipients: RecipientRow[];
}

/** With its texts; null once they are deleted. */
export interface FoundEmail extends EmailBundle {
  body: EmailBody | null;
}
