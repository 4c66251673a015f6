/** What a receiving server's response says about the recipient, in the API's terms. */
export interface BounceKind {
  type: "permanent" | "transient" | "undetermined";
  subtype:
    | "no_email"
    | "mailbox_full"
    | "message_too_large"
    | "content_rejected"
    | "blocked"
    | "general"
    | "expired"
    | "policy"
    | "dns"
    | "content_too_complex";
}

/** One recipient's copy of one message, ready to go. */
export interface OutgoingEmail {
  project_id: string;
  livemode: boolean;
  email_id: string;
  recipient_id: string;
  /** The one recipient of this transaction. */
  to: string;
  /** Envelope sender: the signed return address of this recipient; the sender if no bounces are received. */
  return_path: string;
  /** The complete message, signed, without Bcc. */
  raw: Buffer;
  message_id: string;
  /** Counts from 1. */
  attempt: number;
  /** What the previous attempt was answered. No code without a server. */
  previous: { smtp_code: number | null; enhanced_code: string | null };
  expires_at: Date;
}

interface Answered {
  provider: string;
  /** The server that responded. */
  remote?: string | null;
  smtp_code?: number | null;
  enhanced_code?: string | null;
  diagnostic?: string | null;
}

/** The result of one attempt. */
export type SendOutcome = Answered &
  (
    | {
        result: "accepted";
        /** true: the recipient's own server has it (delivered). false: a relay has it (sent). */
        final: boolean;
      }
    /**
     * Temporary: counts as an attempt and is tried again on schedule, or after `retry_after_ms`. `until`: the site as a whole accepts
     * nothing before then, so the message's own schedule doesn't advance.
     */
    | { result: "deferred"; retry_after_ms?: number | null; until?: Date; bounce: BounceKind }
    /** Permanent. `suppress`: the mailbox doesn't exist, so nothing more may be sent to it. */
    | { result: "refused"; bounce: BounceKind; suppress: boolean }
    /** Not attempted, because no slot is free or, with `isDelay`, because the site accepts nothing now: doesn't count. */
    | { result: "held"; until: Date; reason: string; isDelay?: boolean }
    /** The connection was lost after the body was sent: tried again with the same Message-ID. */
    | { result: "unknown" }
  );

/** What becomes of a message without sending it, as far as that is known now; null: only sending it shows. */
export type Foreseen = () => SendOutcome | null;

/** A way to send email. */
export interface EmailTransport {
  readonly name: "outbox" | "relay" | "mx" | "simulator";
  /** The maximum number of concurrent emails. */
  readonly concurrency: number;
  /** How many more, for projects whose email would otherwise wait behind another's slow receivers. If absent, only turns are fair. */
  readonly reserved?: number;
  /**
   * Finds where a message would go, so that one that would be held, or has nowhere to go, needn't be composed. Never throws, and takes no
   * turn; ends early when `signal` fires.
   */
  foresee?(to: Pick<OutgoingEmail, "project_id" | "to" | "previous">, signal: AbortSignal): Promise<Foreseen>;
  /** Never throws. Ends early when `signal` fires: by then another worker may have the email. */
  send(outgoing: OutgoingEmail, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
}
