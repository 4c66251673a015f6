import type { GatewayMethod, Names } from "./payment-methods.ts";
import type { ProviderSimulator } from "./simulator/simulator.ts";

/** An amount as orders have it: a positive integer in the currency's ISO 4217 minor units. How a provider writes it is its adapter's business. */
export interface GatewayAmount {
  amount_minor: number;
  currency: string;
}

/** Where a payment stands at its provider. `succeeded` is final; `expired` and `canceled` may still become `succeeded` where the provider takes late money. */
export type PaymentState = "pending" | "processing" | "succeeded" | "failed" | "expired" | "canceled";

/** What a gateway has the buyer do next. */
export type GatewayAction =
  | { type: "display_qr"; qr_payload: string }
  | { type: "redirect"; url: string }
  | { type: "form"; action: string; fields: Record<string, string> }
  | { type: "wechat_jsapi"; params: Record<string, string> };

/** One field of the form by which a merchant enters an account with a provider. */
export interface CredentialField {
  /** As the API spells it: lower-case letters, digits and `_`. */
  readonly name: string;
  /** Sealed, and read back as its last four characters at most. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Text of several lines, such as a key in PEM. */
  readonly multiline: boolean;
  readonly names: Names;
  /** Where the merchant finds it, in the provider's own words. */
  readonly hints: Names;
}

/** What a gateway is, without calling anybody. */
export interface GatewayManifest {
  /** The payment method that carries the gateway's name. */
  readonly method: GatewayMethod;
  readonly fields: readonly CredentialField[];
  /** The provider's API for live and for test accounts, without a trailing slash; null where the merchant's own server is one of the fields (`base_url`). */
  readonly hosts: { readonly live: string; readonly test: string } | null;
  /** The least and the most that one payment may ask, in ISO minor units. */
  readonly limits: { minMinor(currency: string): number; maxMinor(currency: string): number };
  /** How long the provider lets a payment stay open, in seconds. What is asked for outside of it is clamped by the adapter, which closes the payment itself where it must end earlier. */
  readonly lifetime: { readonly minSeconds: number; readonly maxSeconds: number };
  /** For how many days after a payment the provider refunds it; null where it sets no limit. */
  readonly refundDays: number | null;
  /** Whether the provider sends callbacks to an address that each payment names. Where false, the merchant enters the address at the provider by hand. */
  readonly callbackPerPayment: boolean;
}

/** What a call to a provider may reach. */
export interface GatewayCall {
  /** The only way out. Rejects with an `Error` whose `name` is `TimeoutError` or with a `TypeError` when no answer came; never follows a redirect; a body of more than 1 MiB is cut off as a failure. */
  readonly fetch: typeof globalThis.fetch;
  /** The provider's API for this account, without a trailing slash; always `http:` or `https:`. */
  readonly baseUrl: string;
  now(): Date;
  /** 32 random characters of `0-9a-f`. */
  nonce(): string;
  /** Certificates in PEM of the authorities that a provider's own certificates must come from: the public ones, or those of its simulator and no others. An empty list trusts nobody. */
  roots(): Promise<readonly string[]>;
  /** Of this account in this process: access tokens, the provider's certificates. */
  readonly cache: GatewayCache;
}

export interface GatewayCache {
  get(key: string): string | null;
  set(key: string, value: string, seconds: number): void;
}

/** A payment to be created. Creating it again with the same `reference` and amount must never make the buyer pay twice. */
export interface NewGatewayPayment {
  /** Ours, unique for ever: 29 characters of `[a-z0-9_]`. */
  reference: string;
  amount: GatewayAmount;
  /** What is paid for, as the buyer reads it: one line of at most 120 characters. */
  title: string;
  /** Where the provider sends its callbacks: no query, at most 255 characters. */
  notifyUrl: string;
  /** Where the buyer comes back to after paying, and after giving up. */
  returnUrl: string;
  cancelUrl: string;
  expiresAt: Date;
  buyer: {
    ip: string | null;
    /** BCP 47 tag, such as `zh-CN`. */
    locale: string;
    /** What the page is read with: decides between a code to scan, a page to go to, and an app's own browser. */
    device: "desktop" | "phone" | "wechat" | "alipay";
    /** The buyer's id with the account's app in WeChat's browser, where it was asked. */
    openid: string | null;
  };
  /** At most five short values, for the merchant's eyes at the provider. */
  metadata: Record<string, string>;
}

/** How a payment is found again: by our reference, and by the provider's id where it told one. */
export interface PaymentKey {
  reference: string;
  providerId: string | null;
}

/** A payment as its provider tells it. */
export interface PaymentSnapshot {
  /** Null where the provider doesn't tell it, so that it was found by its id. */
  reference: string | null;
  providerId: string | null;
  /** The provider's id of the money itself, where it differs from the payment's: what a refund names and a statement lists. */
  captureId: string | null;
  state: PaymentState;
  /** What the provider was asked to collect; null where it doesn't tell. */
  asked: GatewayAmount | null;
  /** What the buyer paid; null until something was paid. */
  paid: GatewayAmount | null;
  /** What went back to the buyer so far; null where the provider doesn't tell. */
  refunded: GatewayAmount | null;
  /** What the provider keeps for itself; null where it doesn't tell (yet). */
  fee: GatewayAmount | null;
  paidAt: Date | null;
  /** The provider's own word for the state, for logs. */
  providerState: string;
  /** False for a payment of a test account; null where the provider doesn't tell. */
  livemode: boolean | null;
  /** The account that the money went to, as the provider names it; null where it doesn't tell. */
  account: string | null;
  failure: { code: string; message: string } | null;
  /** The payment's disputes, where asking for a payment tells them; missing where only callbacks do. */
  disputes?: readonly DisputeSnapshot[];
}

/** A payment that the buyer can pay now. */
export interface CreatedPayment extends PaymentSnapshot {
  action: GatewayAction;
  /** Until when the code or page of `action` works, where that is earlier than the payment's end. */
  actionExpiresAt: Date | null;
}

/** A refund to be made. Asking for it again with the same `refundReference` must never pay the buyer back twice. */
export interface NewGatewayRefund extends PaymentKey {
  captureId: string | null;
  /** Ours, unique for ever: 29 characters of `[a-z0-9_]`. */
  refundReference: string;
  amount: GatewayAmount;
  /** What was paid in all. */
  total: GatewayAmount;
  /** One line of at most 80 characters, as the buyer may read it; null for none. */
  reason: string | null;
  notifyUrl: string;
}

/** How a refund is found again. */
export interface RefundKey extends PaymentKey {
  captureId: string | null;
  refundReference: string;
  providerRefundId: string | null;
}

export interface RefundSnapshot {
  refundReference: string | null;
  providerRefundId: string | null;
  /** `requires_action`: the buyer has to claim it at `claimUrl`. A refund that succeeded may fail later. */
  state: "pending" | "requires_action" | "succeeded" | "failed";
  amount: GatewayAmount | null;
  claimUrl: string | null;
  providerState: string;
  failure: { code: string; message: string } | null;
}

/** A dispute or chargeback of a payment, as far as its provider tells. */
export interface DisputeSnapshot {
  providerDisputeId: string;
  /** The payment, by whatever the provider names. */
  payment: { reference: string | null; providerId: string | null; captureId: string | null };
  /** `opened`: the money is gone for now. `won`: it is back. `lost`: it stays gone. `inquiry`: the provider asks, nothing is taken. */
  state: "inquiry" | "opened" | "won" | "lost";
  amount: GatewayAmount;
  /** The provider's own word for the reason. */
  reason: string | null;
  occurredAt: Date;
}

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
      /** The same for every delivery of one event, another for another event: a repeat changes nothing. */
      dedupeKey: string;
      /** The provider's name of the event, for logs. */
      event: string;
      told: CallbackTold;
    }
  | { ok: false; reason: CallbackRefusal };

/** What a verified callback tells. `ask`: it only says that something changed; the provider must be asked. `nothing`: acknowledged and done with. */
export type CallbackTold =
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

/** One payment or refund in a provider's own list of what it settled, for the daily comparison. */
export interface SettledLine {
  kind: "payment" | "refund";
  reference: string | null;
  providerId: string | null;
  captureId: string | null;
  amount: GatewayAmount;
  occurredAt: Date;
}

/**
 * An account with a provider, its credentials opened. Every verb throws `GatewayError` and nothing else for what the provider or the network does;
 * no error, log line or snapshot holds a secret.
 */
export interface GatewayAccount {
  /** The account as the provider names it, where the credentials tell; what callbacks and snapshots are compared with. */
  readonly id: string | null;
  /** Names of the keys that the provider may sign with for this account. */
  readonly keyIds: readonly string[];
  /** Where the account's provider is reached, where it is the merchant's own server; null otherwise. */
  readonly baseUrl: string | null;
  /** A call that changes nothing and fails with kind `auth` on wrong credentials; null where the provider has none. */
  readonly check: ((call: GatewayCall) => Promise<{ account: string | null; name: string | null }>) | null;
  create(call: GatewayCall, payment: NewGatewayPayment): Promise<CreatedPayment>;
  /** Throws kind `not_found` where the provider knows no such payment. */
  query(call: GatewayCall, key: PaymentKey): Promise<PaymentSnapshot>;
  /** Takes what the buyer approved, where the provider waits to be asked; safe to repeat. */
  readonly capture: ((call: GatewayCall, key: PaymentKey) => Promise<PaymentSnapshot>) | null;
  /**
   * Makes the payment unpayable. `closed`: nobody can pay it any more. `already_paid`: ask. `absent`: the provider knows no such payment (yet).
   * Null where the provider cannot: what is paid later is late money.
   */
  readonly close: ((call: GatewayCall, key: PaymentKey) => Promise<"closed" | "already_paid" | "absent">) | null;
  refund(call: GatewayCall, refund: NewGatewayRefund): Promise<RefundSnapshot>;
  /** Throws kind `not_found` where the provider knows no such refund. */
  queryRefund(call: GatewayCall, key: RefundKey): Promise<RefundSnapshot>;
  /** What the provider settled in a span of time, oldest first; null where it has no such list. */
  readonly listSettled: ((call: GatewayCall, span: { from: Date; to: Date }) => Promise<SettledLine[]>) | null;
  verify(call: GatewayCall, callback: RawCallback): Promise<CallbackVerdict>;
}

/** A provider's adapter. */
export interface GatewayAdapter {
  readonly manifest: GatewayManifest;
  /** Opens an account from the fields of its form. Throws `CredentialsInvalid` with every fault at once, a key of the other environment among them. */
  open(fields: Readonly<Record<string, string>>, given: { livemode: boolean }): GatewayAccount;
  /** What an unverified callback says of whose it is; null for bytes that are no callback of this provider's. */
  hint(callback: RawCallback): CallbackHint | null;
  /** The answer in the provider's own words. */
  answer(outcome: CallbackOutcome): CallbackAnswer;
  /** The provider's own side, for tests and for TEST without an account; loaded when it is needed. */
  simulator(): Promise<ProviderSimulator>;
}

/** A fault in one field of the form: `reason` is stable, `message` an English sentence for the API. Never quotes a secret. */
export interface CredentialFault {
  field: string;
  reason: "required" | "malformed" | "wrong_environment" | "not_a_pair";
  message: string;
}

/** Credentials that cannot be those of any account. */
export class CredentialsInvalid extends Error {
  readonly faults: readonly CredentialFault[];

  constructor(faults: readonly CredentialFault[]) {
    super(faults.map(({ field, reason }) => `${field}: ${reason}`).join(", "));
    this.faults = faults;
  }
}

/**
 * What went wrong at a provider. `unknown_outcome`: nobody knows whether it happened, so ask before anything else; `unavailable`: it certainly did not happen.
 * `declined`, `invalid`, `conflict`: the provider said no. `already_paid`: there is nothing left to pay, close or take.
 */
export type GatewayErrorKind = "declined" | "not_found" | "conflict" | "already_paid" | "auth" | "rate_limited" | "invalid" | "unavailable" | "unknown_outcome";

export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;
  /** The provider's own code, or `timeout`, `connection`, `malformed_answer`, `signature`. */
  readonly code: string;
  /** The provider's id of the request, for its support. */
  readonly requestId: string | null;
  /** After how many seconds the provider wants to be asked again. */
  readonly retryAfter: number | null;

  constructor(kind: GatewayErrorKind, given: { code: string; message: string; requestId?: string | null; retryAfter?: number | null }) {
    super(given.message);
    this.kind = kind;
    this.code = given.code;
    this.requestId = given.requestId ?? null;
    this.retryAfter = given.retryAfter ?? null;
  }
}
