import type { SimulatedCallback, SimulatorWorld } from "#gateways/index.ts";
import {
  type Account,
  type Amount,
  ApiError,
  decimalsOf,
  keepPayment,
  notFound,
  type Payment,
  type Status,
  unitsOf,
  unprocessable,
} from "./documents.ts";

const currencies = "AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR".split(" ");
const locales =
  "ca_ES cs_CZ da_DK de_AT de_CH de_DE de_LU en_BE en_GB en_NL en_US es_ES fi_FI fr_BE fr_FR fr_LU hu_HU is_IS it_IT lt_LT lv_LV nb_NO nl_BE nl_NL pl_PL pt_PT sk_SK sv_SE".split(
    " ",
  );

/** How long a page stays open if no method is chosen. */
const openSeconds = 15 * 60;
/** Ten attempts: at once, and after 1, 3, 7, 15 and 29 minutes, 1, 2, 7 and 26 hours. */
const retrySeconds = [60, 120, 240, 480, 840, 1_860, 3_600, 18_000, 68_400];

export async function createPayment(world: SimulatorWorld, account: Account, body: Record<string, unknown>): Promise<Payment> {
  const now = world.now().getTime();
  const payment: Payment = {
    id: `tr_${world.token(22)}`,
    profileId: account.profileId,
    createdAt: now,
    expiresAt: now + openSeconds * 1_000,
    amount: readAmount(body["amount"], "amount"),
    description: readText(body["description"], "description"),
    redirectUrl: readUrl(body["redirectUrl"], "redirectUrl"),
    cancelUrl: body["cancelUrl"] === undefined ? null : readUrl(body["cancelUrl"], "cancelUrl"),
    webhookUrl: body["webhookUrl"] === undefined ? null : readUrl(body["webhookUrl"], "webhookUrl"),
    locale: readLocale(body["locale"]),
    metadata: readMetadata(body["metadata"]),
    status: "open",
    changedAt: null,
    method: null,
  };
  return keepPayment(world, payment);
}

/** An amount with exactly as many decimals as its currency has. */
export function readAmount(value: unknown, field: string): Amount {
  const { currency, value: text } = (value ?? {}) as { currency?: unknown; value?: unknown };
  if (typeof currency !== "string" || !currencies.includes(currency))
    throw unprocessable("The currency is not supported.", `${field}.currency`);
  const decimals = decimalsOf(currency);
  const shape = decimals === 0 ? /^\d{1,9}$/ : /^\d{1,9}\.\d{2}$/;
  if (typeof text !== "string" || !shape.test(text)) throw unprocessable(`The amount must have ${decimals} decimals.`, `${field}.value`);
  if (unitsOf({ currency, value: text }) < 1) throw unprocessable("The amount is lower than the minimum.", field);
  return { currency, value: text };
}

export function readText(value: unknown, field: string): string {
  if (typeof value !== "string" || value === "") throw unprocessable(`The '${field}' field is missing`, field);
  if (value.length > 255) throw unprocessable(`The '${field}' field is too long`, field);
  return value;
}

function readUrl(value: unknown, field: string): string {
  if (typeof value !== "string" || !/^https?:\/\//.test(value) || !URL.canParse(value)) throw unprocessable("The URL is invalid.", field);
  return value;
}

function readLocale(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || !locales.includes(value)) throw unprocessable("The locale is invalid.", "locale");
  return value;
}

function readMetadata(value: unknown): unknown {
  if (JSON.stringify(value ?? null).length > 1_024) throw unprocessable("The metadata is larger than 1 kB.", "metadata");
  return value ?? null;
}

/** Returns a payment of a profile in its current state: an open one whose time is over has expired. */
export async function findPayment(world: SimulatorWorld, account: Account, id: string): Promise<Payment> {
  const payment = await world.documents.get<Payment>("payment", id);
  if (payment === null || payment.profileId !== account.profileId) throw notFound("payment", id);
  return upToDate(world, payment);
}

export async function upToDate(world: SimulatorWorld, payment: Payment): Promise<Payment> {
  const isOver = payment.status === "open" && payment.expiresAt <= world.now().getTime();
  return isOver ? changeTo(world, payment, { status: "expired" }) : payment;
}

/** Returns the payment with our reference, matched against any value of its metadata. Throws if there isn't one. */
export async function findByReference(world: SimulatorWorld, reference: string): Promise<Payment> {
  const all = await world.documents.list<Payment>("payment");
  const payment = all.findLast(({ metadata }) => valuesOf(metadata).includes(reference));
  if (payment === undefined) throw new Error(`Mollie has no payment of ${reference}`);
  return upToDate(world, payment);
}

export function valuesOf(metadata: unknown): unknown[] {
  return typeof metadata === "object" && metadata !== null ? Object.values(metadata) : [];
}

export interface Change {
  status: Status;
  method?: string;
  /** How many times the callback is sent; once by default. `open` and `pending` are never reported. */
  times?: number;
}

/** Changes a payment's state, and calls the merchant. */
export async function changeTo(world: SimulatorWorld, payment: Payment, { status, method, times = 1 }: Change): Promise<Payment> {
  const changed = await keepPayment(world, { ...payment, status, changedAt: world.now().getTime(), method: method ?? payment.method });
  for (let time = 0; time < times && status !== "pending"; time += 1) await sendWebhook(world, changed);
  return changed;
}

/** Calls the merchant's address, if the payment has one. */
export async function sendWebhook(world: SimulatorWorld, payment: Payment): Promise<void> {
  if (payment.webhookUrl !== null) await world.send(callbackFor(payment));
}

/** Only the payment's id, the same bytes each time. */
export function callbackFor(payment: Payment): SimulatedCallback {
  return {
    url: payment.webhookUrl ?? "https://webhook.invalid/",
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Mollie HTTP client/1.0", accept: "*/*" },
    body: `id=${payment.id}`,
    accepts: ({ status }) => status === 200,
    again: null,
    retrySeconds,
  };
}

/** Whether it can be canceled: until the buyer has chosen a method. */
export function isCancelable({ status, method }: Payment): boolean {
  return status === "open" && method === null;
}

export async function cancelPayment(world: SimulatorWorld, payment: Payment): Promise<Payment> {
  if (!isCancelable(payment)) throw new ApiError(422, "Unprocessable Entity", { detail: "The payment cannot be canceled." });
  return changeTo(world, payment, { status: "canceled" });
}
