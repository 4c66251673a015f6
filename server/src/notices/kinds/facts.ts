import type { MoneyText } from "#checkout/index.ts";
import type { Names } from "#gateways/index.ts";
import type { EmailContent } from "../mail/email-content.ts";

export interface Amount {
  amount_minor: number;
  currency: string;
  exponent: number;
}

export type Role = "owner" | "admin" | "developer" | "reviewer" | "accountant" | "viewer";

export const securityChanges = [
  "password_changed",
  "email_changed",
  "two_factor_enabled",
  "two_factor_disabled",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_created",
  "recovery_code_used",
] as const;
export type SecurityChange = (typeof securityChanges)[number];

/** An account with a payment provider. */
interface AccountFacts {
  url: string;
  project: string;
  /** Names of the payment method. */
  method: Names | null;
  /** The name that the merchant gave it. */
  account: string | null;
  /** The provider's own message. */
  message: string | null;
  at: Date;
}

/** The facts of an email of each kind, collected and ready for display; `url` is where its button leads. */
export interface Facts {
  email_verification: { url: string; minutes: number | null };
  password_reset: { url: string; minutes: number | null };
  sign_up_again: { url: string };
  invitation: {
    url: string;
    /** null: a name that a stranger mustn't see. */
    merchant: string | null;
    inviter: string | null;
    role: Role | null;
    expires_at: Date | null;
    /** True if an operator has verified them. */
    verified: boolean;
  };
  sign_in_alert: { url: string; at: Date; device: string | null; address: string | null };
  security_changed: { url: string; at: Date; change: SecurityChange; address: string | null };
  team_changed: {
    url: string;
    merchant: string;
    person: string;
    email: string;
    /** null: not a member. */
    before: Role | null;
    after: Role | null;
    by: string | null;
    at: Date;
    new_owner_until: Date | null;
  };
  proof_waiting: {
    url: string;
    project: string;
    livemode: boolean;
    count: number;
    proofs: { reference: string; amount: Amount; at: Date }[];
  };
  canceled_order_claimed: { url: string; project: string; reference: string; amount: Amount; at: Date };
  order_paid: {
    url: string;
    merchant: string;
    amount: Amount;
    reference: string | null;
    description: string | null;
    paid_at: Date;
    /** Names of the payment method. */
    method: Names | null;
    contact: string | null;
  };
  order_refunded: {
    url: string;
    merchant: string;
    amount: Amount;
    /** What the buyer had paid, if only part of it was refunded. */
    of: Amount | null;
    reference: string | null;
    refunded_at: Date;
    contact: string | null;
  };
  refund_claim: { url: string; merchant: string; amount: Amount; reference: string | null; contact: string | null };
  refund_returned: { url: string; merchant: string; amount: Amount; reference: string | null; at: Date; contact: string | null };
  refund_failed: {
    url: string;
    project: string;
    reference: string | null;
    amount: Amount;
    /** Names of the payment method. */
    method: Names | null;
    /** The provider's own message. */
    note: string | null;
    /** It had succeeded before: the buyer was notified. */
    wasPaid: boolean;
    /** The money is held by an exception again. */
    isHeld: boolean;
    at: Date;
  };
  "webhook.failing": { url: string; project: string; livemode: boolean; endpoint: string; hours: number; since: Date; disabled_at: Date };
  "webhook.disabled": { url: string; project: string; livemode: boolean; endpoint: string; reason: "gone" | "failing" };
  "webhook.callbacks_failing": {
    url: string;
    project: string;
    livemode: boolean;
    endpoint: string;
    /** How many other addresses fail as well. */
    others: number;
    since: Date;
    /** After how many days a callback is given up. */
    days: number;
  };
  collection_code_changed: { url: string; project: string; channel: Names; by: string | null; at: Date };
  merchant_verified: { url: string; merchant: string };
  merchant_rejected: { url: string; merchant: string; reason: string | null };
  sending_suspended: { url: string; merchant: string; reason: string | null };
  sending_resumed: { url: string; merchant: string };
  letter_received: { url: string; to: string; from: string; subject: string | null; text: string };
  audit_anchored: { url: string; at: Date; chains: number; rows: number; root: string };
  keys_without_receipts: { url: string; project: string; keys: string[] };
  job_set_aside: { url: string; queue: string; jobs: string[]; count: number };
  /** `isLog`: about the write-ahead log. It can't be copied to `bucket`, or to `folder` if that is null. */
  backup_missing: { url: string; newest: Date | null; reason: string | null; folder: string; bucket: string | null; isLog: boolean };
  gateway_account_refused: AccountFacts;
  gateway_account_accepted: AccountFacts;
  number_approved: { url: string; project: string; value: string; channels: ("sms" | "call")[]; countries: string[] | null };
  number_rejected: { url: string; project: string; value: string; wasApproved: boolean; reason: string | null };
  countries_added: { url: string; project: string; countries: string[]; by: string | null; at: Date };
  spend_cap: {
    url: string;
    project: string;
    measure: "spend_micros" | "segments" | "minutes";
    /** A day or a month in UTC. */
    period: string;
    cap: number;
    currency: string | null;
    /** In percent. */
    level: number;
  };
  prefix_paused: {
    url: string;
    project: string;
    channel: "sms" | "call";
    prefix: string;
    cause: "sequential_numbers" | "dominant_prefix" | "no_conversions";
    messages: number;
  };
  domain_lost: { url: string; project: string; domain: string; missing: string[] };
}

export type Kind = keyof Facts;

/** Formats amounts, times and countries in the email's language, and knows this installation. */
export interface Say {
  money(amount: Amount): MoneyText;
  /** Day and time, in the currency's usual zone if it has one. */
  time(at: Date, currency?: string): string;
  /** A day or a month. */
  period(period: string): string;
  /** The names of countries, by their codes. */
  countryNames(codes: readonly string[]): string[];
  /** What to type on the server to run a command. */
  command(command: string): string;
  host: string;
}

/** An email for every kind, in one language. */
export type Emails = { [K in Kind]: (facts: Facts[K], say: Say) => EmailContent };
