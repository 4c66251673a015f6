import type { CallbackAnswer, CallbackHint, CallbackOutcome, CallbackVerdict, RawCallback } from "./callback-port.ts";
import type { GatewayMethod, Names } from "./payment-methods.ts";
import type { ProviderSimulator } from "./simulator/simulator.ts";
import type { CreatedPayment, GatewayAmount, ListedLine, PaymentKey, PaymentSnapshot, RefundSnapshot } from "./snapshots.ts";

/** One field of the form for a merchant's account with a provider. */
export interface CredentialField {
  /** Its name in the API: lower-case letters, digits and `_`. */
  readonly name: string;
  /** Sealed, and only its last four characters are shown. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Text with several lines, such as a key in PEM. */
  readonly multiline: boolean;
  readonly names: Names;
  /** Where the merchant finds it, in the provider's terms. */
  readonly hints: Names;
  /** Its possible values with their names, the default first; absent if it takes any text. */
  readonly choices?: readonly FieldChoice[];
}

/** A possible value of a field, and what people see. */
export interface FieldChoice {
  readonly value: string;
  readonly names: Names;
}

/** The static facts of a gateway, available without any call. */
export interface GatewayManifest {
  /** The payment method with the gateway's name. */
  readonly method: GatewayMethod;
  /** The company of the merchant's account, if buyers know the method by another name. */
  readonly provider?: Names;
  readonly fields: readonly CredentialField[];
  /**
   * The provider's API for live and for test accounts, without a trailing slash; null if the merchant's own server is one of the fields
   * (`base_url`).
   */
  readonly hosts: { readonly live: string; readonly test: string } | null;
  /**
   * The minimum and maximum of one payment, in ISO minor units, and the step: payments and refunds are multiples of it, because the
   * provider can't write others (`WireAmounts.stepMinor`).
   */
  readonly limits: { minMinor(currency: string): number; maxMinor(currency: string): number; stepMinor(currency: string): number };
  /**
   * How long the provider lets a payment stay open, in seconds. The adapter clamps a requested lifetime to this range, and closes a payment
   * itself if it must end earlier.
   */
  readonly lifetime: { readonly minSeconds: number; readonly maxSeconds: number };
  /** For how many days after a payment the provider refunds it; null without a limit. */
  readonly refundDays: number | null;
  /**
   * Whether the provider sends callbacks to an address in each payment. If false, the merchant enters the address at the provider manually.
   */
  readonly callbackPerPayment: boolean;
  /** Every `CallbackVerdict.event` that matters: the events to select at the provider. */
  readonly callbackEvents: readonly string[];
  /**
   * Where the merchant enters the address, in the provider's own words, and the form's field that the provider gives in return. The account
   * is saved first, because its address contains its id.
   */
  readonly callbackEntry?: { readonly field: string; readonly hints: Names };
}

/** The environment of a call to a provider. */
export interface GatewayCall {
  /**
   * The only network access. Rejects with an `Error` named `TimeoutError` or with a `TypeError` if no response arrives; never follows a
   * redirect; a body of more than 1 MiB (16 MiB for `listSettled` and refunds) is cut off as a failure.
   */
  readonly fetch: typeof globalThis.fetch;
  /** The provider's API for this account, without a trailing slash; always `http:` or `https:`. */
  readonly baseUrl: string;
  now(): Date;
  /** 32 random characters of `0-9a-f`. */
  nonce(): string;
  /**
   * Certificates in PEM of the authorities that must have issued a provider's certificates: the public ones, or only those of its
   * simulator. An empty list trusts none.
   */
  roots(): Promise<readonly string[]>;
  /** This account's cache in this process: access tokens, the provider's certificates. */
  readonly cache: GatewayCache;
}

export interface GatewayCache {
  get(key: string): string | null;
  set(key: string, value: string, seconds: number): void;
}

/** The buyer's data that a provider needs. */
export interface GatewayBuyer {
  ip: string | null;
  /** BCP 47 tag, such as `zh-CN`. */
  locale: string;
  /**
   * The device that shows the page: `desktop`, `phone`, or the id of the wallet app (`WalletApp.id`) whose own browser shows it on a phone.
   */
  device: string;
  /** The buyer for this account, as its `buyerIdentity` read it; null if they weren't identified. */
  openid: string | null;
}

/** A payment to be created. Creating it again with the same `reference` and amount must never make the buyer pay twice. */
export interface NewGatewayPayment {
  /** Ours, permanently unique: 29 characters of `[a-z0-9_]`. */
  reference: string;
  amount: GatewayAmount;
  /** The description that the buyer sees: one line of at most 120 characters. */
  title: string;
  /** The address for the provider's callbacks: no query, at most 255 characters. */
  notifyUrl: string;
  /** Where the buyer returns after paying, and after canceling. */
  returnUrl: string;
  cancelUrl: string;
  expiresAt: Date;
  buyer: GatewayBuyer;
  /** At most five short values, for the merchant at the provider. */
  metadata: Record<string, string>;
  /** Present if it was requested before, and may exist: with the provider's id, or null if that never arrived. */
  earlier?: Pick<PaymentKey, "providerId">;
}

/** A refund to request. Requesting it again with the same `refundReference` must never refund the buyer twice. */
export interface NewGatewayRefund extends PaymentKey {
  captureId: string | null;
  /** Ours, permanently unique: 29 characters of `[a-z0-9_]`. */
  refundReference: string;
  amount: GatewayAmount;
  /** The total paid. */
  total: GatewayAmount;
  /** One line of at most 80 characters for the buyer; null for none. */
  reason: string | null;
  /** Why the merchant refunds it, for the merchant's own pages at the provider: the buyer must never see it. */
  merchantReason?: string | null;
  notifyUrl: string;
}

/** How to find a refund again. */
export interface RefundKey extends PaymentKey {
  captureId: string | null;
  /** Ours; empty for a refund that was made at the provider, of which only the provider's id is known. */
  refundReference: string;
  providerRefundId: string | null;
}

/** How to identify a buyer with a provider, if that needs their own browser. */
export interface BuyerIdentity {
  /** Whether a payment on this device needs the buyer's identity. If they aren't identified, it is created anyway, in another way. */
  isWanted(device: string): boolean;
  /**
   * The address that the browser visits. The provider redirects it to `returnUrl`, adding what `read` needs and `state` unchanged:
   * characters of `0-9A-Za-z`.
   */
  addressOf(place: Pick<GatewayCall, "baseUrl">, given: { returnUrl: string; state: string }): string;
  /**
   * Reads the parameters that the browser came back with: the value for `GatewayBuyer.openid`. Throws `GatewayError`, `conflict` for
   * parameters that were used before or are too old.
   */
  read(call: GatewayCall, query: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * An account with a provider, its credentials opened. Every method only throws `GatewayError` for errors of the provider or the network; no
 * error, log line or snapshot contains a secret.
 */
export interface GatewayAccount {
  /** The provider's account id, if the credentials contain it; callbacks and snapshots are compared with it. */
  readonly id: string | null;
  /** Names of the provider's signing keys for this account. */
  readonly keyIds: readonly string[];
  /** The provider's address, if it is the merchant's own server; otherwise null. */
  readonly baseUrl: string | null;
  /** A call that changes nothing and fails with kind `auth` for wrong credentials; null if the provider has none. */
  readonly check: ((call: GatewayCall) => Promise<{ account: string | null; name: string | null }>) | null;
  create(call: GatewayCall, payment: NewGatewayPayment): Promise<CreatedPayment>;
  /**
   * Returns a name for the way in which this buyer would pay, without revealing who they are. An open payment serves buyers of the same
   * way; for others it's closed and a new one created. Missing if a payment fits every buyer.
   */
  readonly wayOf?: (buyer: GatewayBuyer) => string;
  /** Missing if the provider doesn't need the buyer's identity. */
  readonly buyerIdentity?: BuyerIdentity | null;
  /** Throws kind `not_found` if the provider doesn't know the payment. */
  query(call: GatewayCall, key: PaymentKey): Promise<PaymentSnapshot>;
  /** Captures an approved payment, if the provider requires it; safe to repeat. */
  readonly capture: ((call: GatewayCall, key: PaymentKey) => Promise<PaymentSnapshot>) | null;
  /**
   * Makes the payment unpayable. `closed`: it can't be paid any more. `already_paid`: query it. `absent`: the provider doesn't know the
   * payment. `unopened`: it doesn't know it yet, and until its end a buyer may still open and pay it. null if the provider can't close
   * payments: a later payment is a late payment.
   */
  readonly close: ((call: GatewayCall, key: PaymentKey) => Promise<"closed" | "already_paid" | "absent" | "unopened">) | null;
  refund(call: GatewayCall, refund: NewGatewayRefund): Promise<RefundSnapshot>;
  /** Throws kind `not_found` if the provider doesn't know the refund. */
  queryRefund(call: GatewayCall, key: RefundKey): Promise<RefundSnapshot>;
  /**
   * The provider's settled payments in a period, oldest first; null if it has no such list. A line that can't be read doesn't make the list
   * unreadable.
   */
  readonly listSettled: ((call: GatewayCall, span: { from: Date; to: Date }) => Promise<ListedLine[]>) | null;
  /**
   * Our reference of a payment by the provider's id of its money; null if it has none. Missing if the list of settled payments always has
   * the references.
   */
  readonly findReference?: (call: GatewayCall, captureId: string) => Promise<string | null>;
  verify(call: GatewayCall, callback: RawCallback): Promise<CallbackVerdict>;
}

/** A provider's adapter. */
export interface GatewayAdapter {
  readonly manifest: GatewayManifest;
  /**
   * Opens an account from its form's fields. Throws `CredentialsInvalid` with every error at once, including a key of the other
   * environment.
   */
  open(fields: Readonly<Record<string, string>>, given: { livemode: boolean }): GatewayAccount;
  /** The account that an unverified callback claims; null for bytes that aren't this provider's callback. */
  hint(callback: RawCallback): CallbackHint | null;
  /** The response in the provider's format. */
  answer(outcome: CallbackOutcome): CallbackAnswer;
  /** The provider's simulator, for tests and for TEST without an account; loaded when it is needed. */
  simulator(): Promise<ProviderSimulator>;
}
