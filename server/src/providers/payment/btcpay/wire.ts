import type { GatewayAmount } from "#gateways/index.ts";
import { amounts } from "./amounts.ts";
import { objectOf } from "./call-server.ts";

export const decimalOf = (amount: GatewayAmount): string => amounts.decimal(amount);

/** Whole currency units as a text, or as a number in old versions; null if it isn't an exact amount. */
export function amountOf(value: unknown, currency: unknown): GatewayAmount | null {
  if (typeof currency !== "string" || (typeof value !== "string" && typeof value !== "number")) return null;
  return amounts.ofDecimal(String(value), currency);
}

const statuses = ["New", "Processing", "Settled", "Expired", "Invalid"] as const;

/** The fields of an invoice that we read. */
export interface Invoice {
  id: string;
  storeId: string | null;
  reference: string | null;
  status: (typeof statuses)[number];
  /** `None`, `PaidPartial`, `PaidOver`, `PaidLate`, `Marked` (manually), or a value of a later version. */
  exception: string;
  requested: GatewayAmount;
  /** The total of all payments, confirmed or not; null if an old version doesn't report it. */
  paid: GatewayAmount | null;
  checkoutLink: string | null;
  createdAt: number;
  expiresAt: Date | null;
}

/** null if it isn't an invoice. */
export function readInvoice(value: unknown): Invoice | null {
  const given = objectOf(value);
  const status = statuses.find((one) => one === given?.["status"]);
  const requested = amountOf(given?.["amount"], given?.["currency"]);
  if (given === null || status === undefined || requested === null || typeof given["id"] !== "string") return null;
  const metadata = objectOf(given["metadata"]);
  return {
    id: given["id"],
    storeId: textOf(given["storeId"]),
    reference: textOf(metadata?.["orderId"]),
    status,
    exception: textOf(given["additionalStatus"]) ?? "None",
    requested,
    paid: amountOf(given["paidAmount"], given["currency"]),
    checkoutLink: addressOf(given["checkoutLink"]),
    createdAt: typeof given["createdTime"] === "number" ? given["createdTime"] : 0,
    expiresAt: instantOf(given["expirationTime"]),
  };
}

/** The payments of an invoice, summarized. */
export interface Received {
  /** Whether there is money, and all of it is confirmed. */
  isConfirmed: boolean;
  /** Whether some of it isn't confirmed yet. */
  isWaiting: boolean;
  /** When the last of it arrived. */
  at: Date | null;
}

/** Reads the payments in the list of an invoice's payment methods; null if it isn't such a list. */
export function readReceived(value: unknown): Received | null {
  if (!Array.isArray(value)) return null;
  const payments: Readonly<Record<string, unknown>>[] = [];
  for (const method of value) {
    const list = objectOf(method)?.["payments"] ?? [];
    if (!Array.isArray(list)) return null;
    for (const one of list) {
      const payment = objectOf(one);
      if (payment === null) return null;
      if (payment["status"] !== "Invalid") payments.push(payment);
    }
  }
  const settled = payments.filter(({ status }) => status === "Settled");
  const times = settled.map(({ receivedDate }) => instantOf(receivedDate)?.getTime() ?? 0);
  return {
    isConfirmed: settled.length > 0 && settled.length === payments.length,
    isWaiting: settled.length < payments.length,
    at: Math.max(0, ...times) > 0 ? new Date(Math.max(...times)) : null,
  };
}

/** A pull payment: money that anyone with its link can claim. */
export interface PullPayment {
  id: string;
  name: string | null;
  description: string | null;
  amount: GatewayAmount | null;
  isArchived: boolean;
  claimUrl: string | null;
  startsAt: Date | null;
}

/** null if it isn't a pull payment. */
export function readPullPayment(value: unknown): PullPayment | null {
  const given = objectOf(value);
  if (given === null || typeof given["id"] !== "string") return null;
  return {
    id: given["id"],
    name: textOf(given["name"]),
    description: textOf(given["description"]),
    amount: amountOf(given["amount"], given["currency"]),
    isArchived: given["archived"] === true,
    claimUrl: addressOf(given["viewLink"]),
    startsAt: instantOf(given["startsAt"]),
  };
}

/** The claims on a pull payment by result. */
export interface Claims {
  completed: GatewayAmount | null;
  isOpen: boolean;
}

/** Reads the payouts of a pull payment; null if it isn't such a list or is in another currency. */
export function readClaims(value: unknown, currency: string): Claims | null {
  if (!Array.isArray(value)) return null;
  let completed = 0;
  let isOpen = false;
  for (const one of value) {
    const payout = objectOf(one);
    const amount = amountOf(payout?.["originalAmount"] ?? payout?.["amount"], payout?.["originalCurrency"] ?? currency);
    if (payout === null || amount === null || amount.currency !== currency) return null;
    if (payout["state"] === "Completed") completed += amount.amount_minor;
    else if (payout["state"] !== "Cancelled") isOpen = true;
  }
  return { completed: completed === 0 ? null : { amount_minor: completed, currency }, isOpen };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Seconds since 1970. */
function instantOf(value: unknown): Date | null {
  return typeof value === "number" && value > 0 && value < 100_000_000_000 ? new Date(value * 1_000) : null;
}

/** A page to send a buyer to; null for any scheme except http and https. */
function addressOf(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2_000 || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? value : null;
}
