import type { DisputeSnapshot, PaymentKey, PaymentSnapshot, RefundSnapshot } from "./snapshots.ts";

/** A callback as received. */
export interface RawCallback {
  method: string;
  /** With its query, if it has one. */
  path: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  receivedAt: Date;
}

/** The account that an unverified callback claims, so that only that one's secrets are tried. */
export interface CallbackHint {
  /** The provider's account id: compared with `GatewayAccount.id`. */
  account: string | null;
  /** The claimed signing key: compared with `GatewayAccount.keyIds`. */
  keyId: string | null;
  reference: string | null;
  providerId: string | null;
}

/** Why a callback is refused. */
export type CallbackRefusal = "signature" | "stale" | "unknown_key" | "malformed" | "unsupported";

export type CallbackVerdict =
  | {
      ok: true;
      /** The same for every delivery of one event, different for another event: a repeat changes nothing. */
      dedupeKey: string;
      /** The provider's event name, for logs. */
      event: string;
      report: CallbackReport;
      /**
       * The provider's id of the payment, if nothing proves who sent the callback. A payment that the account doesn't have is never
       * queried, and one that it has only a limited number of times.
       */
      unproven?: string;
    }
  | { ok: false; reason: CallbackRefusal };

/**
 * The meaning of a verified callback. `ask`: it only says that something changed; the provider must be queried. `nothing`: only
 * acknowledged.
 */
export type CallbackReport =
  | { kind: "payment"; payment: PaymentSnapshot }
  | { kind: "refund"; payment: PaymentKey | { captureId: string }; refund: RefundSnapshot }
  | { kind: "dispute"; dispute: DisputeSnapshot }
  | { kind: "ask"; about: { reference: string | null; providerId: string | null } }
  | { kind: "nothing" };

/** The response to the provider: `stored` once the callback is stored, `failed` (503) if it couldn't be, otherwise why it was refused. */
export type CallbackOutcome = "stored" | "failed" | CallbackRefusal;

export interface CallbackAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
