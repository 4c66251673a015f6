import type { Destination, Reach } from "#messaging/index.ts";

/** How a text's characters are encoded. */
export type Encoding = "GSM-7" | "UCS-2";

/** The exact payload of one submit_sm. GSM-7 has one septet per byte; with a header, the first bytes are the UDH of a multipart message. */
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
  /** Parts before it were accepted in an earlier attempt. */
  firstPart: number;
  /** Which connection has those parts, as outcomes name it; null if there are none. */
  firstPartsBy: string | null;
  /** Counts from 1. */
  attempt: number;
  /** How often every transport was tried before: a transport uses another one of its connections each time. */
  turn: number;
  expires_at: Date;
}

/** A part that the carrier accepted. A carrier that takes whole texts returns its only id with the first part. */
export interface SentPart {
  /** From 0. */
  index: number;
  provider_message_id: string | null;
}

/** The result of one attempt. Every result lists the parts that were accepted in it. */
export type SmsOutcome = { provider: string; sent: readonly SentPart[] } & (
  | { result: "accepted" }
  /** Temporary: counts as an attempt and is tried again until the message expires. */
  | { result: "deferred"; retry_after_ms: number | null; code: string; message: string; provider_code: string | null }
  /** Permanent. */
  | { result: "refused"; code: string; message: string; provider_code: string | null }
  /** Nothing was submitted: doesn't count as an attempt. */
  | { result: "held"; until: Date; reason: string }
  /** A response was lost: never sent again. */
  | { result: "unknown"; message: string }
);

/** A carrier's report of a part that it accepted. */
export interface SmsReceipt {
  provider: string;
  provider_message_id: string;
  state: "delivered" | "undelivered" | "accepted";
  /** Why it wasn't delivered, in the API's terms. */
  code: string | null;
  provider_code: string | null;
  occurred_at: Date | null;
  /**
   * Our own reference of the message, which identifies one whose response was lost: the carrier returned it with a whole text, or this is
   * the late response to the part at `place`, from 0.
   */
  message?: { project_id: string; livemode: boolean; id: string; place?: number | null } | undefined;
}

/** A carrier's refusal of a part whose outcome counted as unknown by then. */
export interface LateRefusal {
  provider: string;
  /** Our own reference of the part, from 0. */
  part: { project_id: string; livemode: boolean; id: string; place: number };
  /** Why, in the API's terms. */
  code: string;
  message: string;
  provider_code: string | null;
}

/** An inbound message, or a part of one. */
export interface InboundSms {
  provider: string;
  provider_message_id: string | null;
  from: string;
  to: string;
  body: string;
  /** null: the carrier doesn't say, so it is what the text requires. */
  encoding: Encoding | "binary" | null;
  received_at: Date;
  /** The numbers that its connection serves: one without a country code is likely from there. */
  reach?: Reach | undefined;
  /** As in its header: `index` counts from 1. */
  part: { reference: number; total: number; index: number } | null;
}

/** What transports report to. Each call resolves once its data is stored: only then may the carrier's delivery be acknowledged. */
export interface SmsIntake {
  /** `unmatched`: stored for five minutes, and matched when the response to the submission is stored. */
  receipt(receipt: SmsReceipt): Promise<"stored" | "unmatched">;
  /** Ends the message if this part of it is in doubt. */
  refusal(refusal: LateRefusal): Promise<void>;
  inbound(message: InboundSms): Promise<void>;
}

/** A way to send messages. */
export interface SmsTransport {
  readonly name: string;
  /** The maximum number of concurrent messages. */
  readonly concurrency: number;
  /**
   * Its connections, as `provider` names them, by the carrier's account: what one of an account sent may be reported on any other. Absent:
   * each is its own account.
   */
  readonly connections?: readonly (readonly string[])[];
  /** True if it serves a number. */
  takes(number: Destination): boolean;
  /** True if this process can send anything with it now; otherwise its messages are left to processes that can. Absent: always. */
  isOpen?(): boolean;
  /** Its share of a number's messages among transports; 0 while it can't send any. */
  share(number: Destination): number;
  /** Never throws. Ends early when `signal` fires. */
  send(sms: OutgoingSms, signal: AbortSignal): Promise<SmsOutcome>;
  close(): Promise<void>;
}
