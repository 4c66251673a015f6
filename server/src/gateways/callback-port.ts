import type { DisputeSnapshot, PaymentKey, PaymentSnapshot, RefundSnapshot } from "./snapshots.ts";

/** A callback as it came in. */
export interface RawCallback {
  method: string;
  /** With its query, if it has one. */
  path: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  receivedAt: Date;
}

/** What an unverified callback says of whose it is, so that one account's secrets are tried and no other's. */
export interface CallbackHint {
  /** The account as the provider names it: compared with `GatewayAccount.id`. */
  account: string | null;
  /** The key that it claims to be signed with: compared with `GatewayAccount.keyIds`. */
  keyId: string | null;
  reference: string | null;
  providerId: string | null;
}

/** Why a callback is not believed. */
export type CallbackRefusal = "signature" | "stale" | "unknown_key" | "malformed" | "unsupported";

export type CallbackVerdict =
  | {
      ok: true;
      /** The same for every delivery of one event, different for another event: a repeat changes nothing. */
      dedupeKey: string;
      /** The provider's name of the event, for logs. */
      event: string;
      told: CallbackReport;
      /**
       * The provider's id of the payment that it is about, where nothing proves who sent it. Of a payment that the account doesn't have nothing is asked, and of one that it
       * has only so often.
       */
      unproven?: string;
    }
  | { ok: false; reason: CallbackRefusal };

/** What a verified callback tells. `ask`: it only says that something changed; the provider must be asked. `nothing`: acknowledged and done with. */
export type CallbackReport =
  | { kind: "payment"; payment: PaymentSnapshot }
  | { kind: "refund"; payment: PaymentKey | { captureId: string }; refund: RefundSnapshot }
  | { kind: "dispute"; dispute: DisputeSnapshot }
  | { kind: "ask"; about: { reference: string | null; providerId: string | null } }
  | { kind: "nothing" };

/** What the provider is answered: `stored` once the callback is safe with us, `failed` when it could not be stored, otherwise why it was refused. */
export type CallbackOutcome = "stored" | "failed" | CallbackRefusal;

export interface CallbackAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
