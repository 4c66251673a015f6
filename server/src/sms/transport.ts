/** How the characters of a text are written on the air. */
export type Encoding = "GSM-7" | "UCS-2";

/** The exact payload of one submit_sm. GSM-7 is one septet a byte; with a header, the first bytes are the UDH of a long message. */
export interface SmsPart {
  readonly encoding: Encoding;
  readonly hasHeader: boolean;
  readonly bytes: Buffer;
}

/** One message, ready to go. */
export interface OutgoingSms {
  project_id: string;
  livemode: boolean;
  sms_id: string;
  from: { value: string; kind: "number" | "alphanumeric" | "short_code" };
  /** E.164, with its plus sign. */
  to: string;
  /** ISO 3166-1 alpha-2, of `to`. */
  country: string;
  /** For transports that take whole texts. */
  body: string;
  parts: readonly SmsPart[];
  /** Parts before it were accepted by an earlier attempt. */
  firstPart: number;
  /** Counts from 1. */
  attempt: number;
  expires_at: Date;
}

/** A part that the carrier accepted. One that takes whole texts names its only id at the first part. */
export interface SentPart {
  /** From 0. */
  index: number;
  provider_message_id: string | null;
}

/** What came of one attempt. Every answer lists the parts that were accepted in it. */
export type SmsOutcome = { provider: string; sent: readonly SentPart[] } & (
  | { result: "accepted" }
  /** Temporary: counts as an attempt and is tried again until the message expires. */
  | { result: "deferred"; retry_after_ms: number | null; code: string; message: string; provider_code: string | null }
  /** Permanent. */
  | { result: "refused"; code: string; message: string; provider_code: string | null }
  /** Nothing was submitted: does not count as an attempt. */
  | { result: "held"; until: Date; reason: string }
  /** An answer was lost: never sent again. */
  | { result: "unknown"; message: string }
);

/** What a carrier reports of a part that it accepted. */
export interface SmsReceipt {
  provider: string;
  provider_message_id: string;
  state: "delivered" | "undelivered" | "accepted";
  /** Why it was not delivered, in the words of the API. */
  code: string | null;
  provider_code: string | null;
  occurred_at: Date | null;
  /** What we called the message, where the carrier gave that back: whole texts only. It decides about a message whose answer was lost. */
  message?: { project_id: string; livemode: boolean; id: string } | undefined;
}

/** A message, or a part of one, that came in. */
export interface InboundSms {
  provider: string;
  provider_message_id: string | null;
  from: string;
  to: string;
  body: string;
  /** null: the carrier doesn't say, and it is what the text asks for. */
  encoding: Encoding | "binary" | null;
  received_at: Date;
  /** As in its header: `index` counts from 1. */
  part: { reference: number; total: number; index: number } | null;
}

/** What transports hand in. Each resolves once it is stored: only then may the carrier be told that it was taken. */
export interface SmsIntake {
  /** `unmatched`: kept for five minutes, and matched when the answer to the submission is stored. */
  receipt(receipt: SmsReceipt): Promise<"stored" | "unmatched">;
  inbound(message: InboundSms): Promise<void>;
}

/** A way for messages to leave. */
export interface SmsTransport {
  readonly name: string;
  /** The maximum number of concurrent messages. */
  readonly concurrency: number;
  /** Whether it carries messages to a country (ISO 3166-1 alpha-2). */
  takes(country: string): boolean;
  /** Whether this process can send anything by it now; while it can't, its messages are left to processes that can. Absent: always. */
  isOpen?(): boolean;
  /** Its share of a country's messages beside other transports; 0 while it can hand over none. */
  share(country: string): number;
  /** Never throws. Ends early when `signal` fires. */
  send(sms: OutgoingSms, signal: AbortSignal): Promise<SmsOutcome>;
  close(): Promise<void>;
}
