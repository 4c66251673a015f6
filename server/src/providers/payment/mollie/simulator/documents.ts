import type { SimulatorWorld } from "#gateways/index.ts";

/** The merchant's website profile at the simulated Mollie. */
export interface Account {
  profileId: string;
  label: string;
  apiKey: string;
}

export interface Amount {
  currency: string;
  value: string;
}

/** Mollie's payment states. */
export type Status = "open" | "pending" | "paid" | "canceled" | "expired" | "failed";

export interface Payment {
  id: string;
  profileId: string;
  createdAt: number;
  expiresAt: number;
  amount: Amount;
  description: string;
  redirectUrl: string;
  cancelUrl: string | null;
  webhookUrl: string | null;
  locale: string | null;
  metadata: unknown;
  status: Status;
  /** When it entered its state, unless that is `open`. */
  changedAt: number | null;
  /** The method that the buyer chose; null until they do. */
  method: string | null;
}

export interface Refund {
  id: string;
  paymentId: string;
  profileId: string;
  createdAt: number;
  amount: Amount;
  description: string;
  metadata: unknown;
  status: "pending" | "refunded" | "failed";
}

export interface Chargeback {
  id: string;
  paymentId: string;
  profileId: string;
  createdAt: number;
  reversedAt: number | null;
  amount: Amount;
}

/** A refusal in the format of Mollie's API. */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  readonly field: string | null;

  constructor(status: number, title: string, given: { detail: string; field?: string }) {
    super(given.detail);
    this.status = status;
    this.title = title;
    this.field = given.field ?? null;
  }
}

export const unprocessable = (detail: string, field: string) => new ApiError(422, "Unprocessable Entity", { detail, field });
export const notFound = (what: string, id: string) => new ApiError(404, "Not Found", { detail: `No ${what} exists with token ${id}.` });

/** Mollie's decimals: none for króna and yen, two for every other currency that it supports. */
export function decimalsOf(currency: string): number {
  return currency === "ISK" || currency === "JPY" ? 0 : 2;
}

/** The smallest units of an amount. */
export function unitsOf({ value }: Amount): number {
  return Number(value.replace(".", ""));
}

export function amountOf(units: number, currency: string): Amount {
  const decimals = decimalsOf(currency);
  return { currency, value: (units / 10 ** decimals).toFixed(decimals) };
}

export async function findAccount(world: SimulatorWorld, fits: (account: Account) => boolean): Promise<Account | null> {
  return (await world.documents.list<Account>("profile")).find(fits) ?? null;
}

export async function keepPayment(world: SimulatorWorld, payment: Payment): Promise<Payment> {
  await world.documents.put("payment", payment.id, payment);
  return payment;
}

/** The refunds of a payment, except canceled ones. */
export async function refundsOf(world: SimulatorWorld, paymentId: string): Promise<Refund[]> {
  return (await world.documents.list<Refund>("refund")).filter((refund) => refund.paymentId === paymentId);
}

export async function chargebacksOf(world: SimulatorWorld, paymentId: string): Promise<Chargeback[]> {
  return (await world.documents.list<Chargeback>("chargeback")).filter((chargeback) => chargeback.paymentId === paymentId);
}
