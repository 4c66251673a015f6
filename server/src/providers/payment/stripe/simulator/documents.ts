import type { SimulatorWorld } from "#gateways/index.ts";
import { fixedFields } from "./fixed-fields.ts";

/** The merchant's account at the simulated Stripe, with one webhook endpoint. */
export interface Account {
  id: string;
  label: string;
  secretKey: string;
  webhookSecret: string;
  /** Where the endpoint sends events; null until the merchant enters it. */
  url: string | null;
}

/** An API object as it's stored. `owner` is its account, which responses don't include. */
interface StoredDocument {
  id: string;
  owner: string;
  created: number;
  livemode: false;
}

export interface Session extends StoredDocument {
  object: "checkout.session";
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  mode: "payment";
  client_reference_id: string | null;
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  payment_intent: string | null;
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string | null;
  expires_at: number;
  locale: string | null;
  url: string | null;
  /** What the page shows, and what the payment intent will get; responses include neither. */
  hidden: { title: string; intentMetadata: Record<string, string>; intentDescription: string | null };
}

export interface Intent extends StoredDocument {
  object: "payment_intent";
  status: "requires_payment_method" | "processing" | "succeeded" | "canceled";
  amount: number;
  amount_received: number;
  currency: string;
  description: string | null;
  latest_charge: string | null;
  last_payment_error: { code: string; decline_code?: string; message: string; type: "card_error" } | null;
  metadata: Record<string, string>;
}

export interface Charge extends StoredDocument {
  object: "charge";
  status: "pending" | "succeeded" | "failed";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  paid: boolean;
  refunded: boolean;
  disputed: boolean;
  payment_intent: string;
  balance_transaction: string | null;
  payment_method_details: { type: "card" | "sepa_debit" };
  metadata: Record<string, string>;
}

export interface Refund extends StoredDocument {
  object: "refund";
  status: "pending" | "succeeded" | "failed";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  balance_transaction: string | null;
  failure_reason?: string;
  reason: string | null;
  metadata: Record<string, string>;
}

export interface Dispute extends StoredDocument {
  object: "dispute";
  status: "needs_response" | "won" | "lost";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  reason: string;
  balance_transactions: unknown[];
  metadata: Record<string, string>;
}

export interface BalanceTransaction extends StoredDocument {
  object: "balance_transaction";
  amount: number;
  fee: number;
  fee_details: unknown[];
  net: number;
  currency: string;
  type: string;
  reporting_category: string;
  source: string;
  status: "pending" | "available";
  available_on: number;
}

export interface StripeEvent extends StoredDocument {
  object: "event";
  type: string;
  api_version: string;
  data: { object: unknown };
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  /** The payment that it's about; responses don't include it. */
  reference: string | null;
}

export type Thing = Session | Intent | Charge | Refund | Dispute | BalanceTransaction | StripeEvent;
type Kind = Thing["object"];
type OfKind<K extends Kind> = Extract<Thing, { object: K }>;

/** The kind of an id, by its prefix. */
const prefixes: Readonly<Record<string, Kind>> = {
  cs: "checkout.session",
  pi: "payment_intent",
  ch: "charge",
  py: "charge",
  re: "refund",
  du: "dispute",
  txn: "balance_transaction",
  evt: "event",
};

export function secondsOf(world: SimulatorWorld): number {
  return Math.floor(world.now().getTime() / 1_000);
}

/** The fields that every new object has. */
export function newThing<K extends Kind>(world: SimulatorWorld, owner: string, given: { object: K; prefix: string }) {
  return { id: `${given.prefix}_${world.token(24)}`, object: given.object, owner, created: secondsOf(world), livemode: false } as const;
}

export async function keep<T extends Thing>(world: SimulatorWorld, thing: T): Promise<T> {
  await world.documents.put(thing.object, thing.id, thing);
  return thing;
}

/** Returns an object of an account by its id, whatever its kind. */
export async function findAny(world: SimulatorWorld, owner: string, id: string): Promise<Thing | null> {
  const kind = prefixes[id.slice(0, id.indexOf("_"))];
  const found = kind === undefined ? null : await world.documents.get<Thing>(kind, id);
  return found?.owner === owner ? found : null;
}

export async function find<K extends Kind>(
  world: SimulatorWorld,
  given: { kind: K; owner: string; id: string },
): Promise<OfKind<K> | null> {
  const found = await world.documents.get<OfKind<K>>(given.kind, given.id);
  return found?.owner === given.owner ? found : null;
}

/** Returns an object that must exist, because the simulator stored it. */
export async function must<K extends Kind>(
  world: SimulatorWorld,
  given: { kind: K; owner: string; id: string | null },
): Promise<OfKind<K>> {
  const found = given.id === null ? null : await find(world, { ...given, id: given.id });
  if (found === null) throw new Error(`there is no ${given.kind} ${given.id}`);
  return found;
}

export async function listOf<K extends Kind>(world: SimulatorWorld, kind: K, owner: string | null): Promise<OfKind<K>[]> {
  const all = await world.documents.list<OfKind<K>>(kind);
  return owner === null ? all : all.filter((thing) => thing.owner === owner);
}

export async function findAccount(world: SimulatorWorld, fits: (account: Account) => boolean): Promise<Account | null> {
  return (await world.documents.list<Account>("account")).find(fits) ?? null;
}

/** An object as API responses show it. */
export function shown(thing: Thing): Record<string, unknown> {
  const { owner: _owner, livemode, ...rest } = thing;
  const { hidden: _hidden, reference: _reference, ...answered } = rest as Record<string, unknown>;
  return { ...fixedFields[thing.object], ...answered, ...(withoutMode.has(thing.object) ? {} : { livemode }) };
}

/** The kinds that don't say whether they are real. */
const withoutMode: ReadonlySet<Kind> = new Set(["refund", "balance_transaction"]);
