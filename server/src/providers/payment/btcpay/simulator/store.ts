import type { SimulatorWorld } from "#gateways/index.ts";

/** A store on the simulated server, with one API key and one webhook. */
export interface Store {
  storeId: string;
  apiKey: string;
  webhookSecret: string;
  /** null until the webhook's address is entered. */
  webhookUrl: string | null;
}

/** Amounts are in ten-thousandths of the currency's unit, times in seconds. */
export interface SimulatedInvoice {
  id: string;
  storeId: string;
  currency: string;
  price: number;
  metadata: Record<string, unknown>;
  redirectUrl: string | null;
  createdAt: number;
  expiresAt: number;
  status: "New" | "Processing" | "Settled" | "Expired" | "Invalid";
  exception: "None" | "PaidPartial" | "PaidOver" | "PaidLate" | "Marked";
  payments: { id: string; value: number; at: number; status: "Processing" | "Settled" | "Invalid" }[];
  /** Events that were reported, oldest first. */
  events: StoreEvent[];
}

/** A change that is reported to the store's webhook, without the fields of each delivery. */
export interface StoreEvent {
  deliveryId: string;
  type: string;
  at: number;
  more: Record<string, unknown>;
}

/** Money reserved for anyone who opens its page. */
export interface SimulatedPullPayment {
  id: string;
  storeId: string;
  name: string;
  description: string;
  currency: string;
  amount: number;
  isArchived: boolean;
  startsAt: number;
  payouts: { id: string; amount: number; state: "AwaitingApproval" | "Completed" | "Cancelled"; at: number }[];
}

/** The current time in whole seconds. */
export function secondsNow(world: SimulatorWorld): number {
  return Math.floor(world.now().getTime() / 1_000);
}

/** Returns the store of an account, created on first use. */
export async function openStore(world: SimulatorWorld, account: string): Promise<Store> {
  const known = await world.documents.get<string>("account", account);
  const store = known === null ? null : await world.documents.get<Store>("store", known);
  if (store !== null) return store;
  const made = { storeId: world.token(44), apiKey: world.token(40).toLowerCase(), webhookSecret: world.token(24), webhookUrl: null };
  await saveStore(world, made);
  await world.documents.put("key", made.apiKey, made.storeId);
  await world.documents.put("account", account, made.storeId);
  return made;
}

/** Stores a store. */
export function saveStore(world: SimulatorWorld, store: Store): Promise<void> {
  return world.documents.put("store", store.storeId, store);
}

/** Returns the store of an API key; null for a wrong key. */
export async function storeOfKey(world: SimulatorWorld, apiKey: string): Promise<Store | null> {
  const id = await world.documents.get<string>("key", apiKey);
  return id === null ? null : world.documents.get<Store>("store", id);
}

/** Stores an invoice. */
export async function saveInvoice(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<SimulatedInvoice> {
  await world.documents.put("invoice", invoice.id, invoice);
  return invoice;
}

/** Returns every invoice, and marks those as expired whose time is over. */
export async function listInvoices(world: SimulatorWorld): Promise<SimulatedInvoice[]> {
  const invoices = await world.documents.list<SimulatedInvoice>("invoice");
  return Promise.all(invoices.map((one) => current(world, one)));
}

/** Returns an invoice, and marks it as expired if its time is over; null if there is none with this id. */
export async function findInvoice(world: SimulatorWorld, id: string): Promise<SimulatedInvoice | null> {
  const invoice = await world.documents.get<SimulatedInvoice>("invoice", id);
  return invoice === null ? null : current(world, invoice);
}

async function current(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<SimulatedInvoice> {
  const isOver = invoice.status === "New" && invoice.expiresAt <= secondsNow(world);
  return isOver ? saveInvoice(world, { ...invoice, status: "Expired" }) : invoice;
}

/** The amount paid on an invoice, confirmed or not. */
export function paidOn({ payments }: SimulatedInvoice): number {
  return payments.reduce((sum, { value, status }) => sum + (status === "Invalid" ? 0 : value), 0);
}

const without = new Set("ARS BIF CLP COP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
const withThree = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));

function decimalsOf(currency: string): number {
  return without.has(currency) ? 0 : withThree.has(currency) ? 3 : 2;
}

/** In the API's format: `12.34`. */
export function writeAmount(value: number, currency: string): string {
  return (value / 10_000).toFixed(decimalsOf(currency));
}

/** null if it isn't an amount, or has more decimals than the currency. */
export function readAmount(text: unknown, currency: string): number | null {
  if ((typeof text !== "string" && typeof text !== "number") || !/^\d{1,12}(\.\d{1,4})?$/.test(String(text))) return null;
  const value = Math.round(Number(text) * 10_000);
  return writeAmount(value, currency) === Number(text).toFixed(decimalsOf(currency)) && value % 10 ** (4 - decimalsOf(currency)) === 0
    ? value
    : null;
}
