import type { SimulatorWorld } from "#gateways/index.ts";

export interface Money {
  currency_code: string;
  value: string;
}

export interface Account {
  name: string;
  clientId: string;
  secret: string;
  webhookId: string;
  merchantId: string;
  /** Where its callbacks go, once entered. */
  callbackUrl: string | null;
}

export interface Capture {
  id: string;
  status: "COMPLETED" | "PENDING" | "DECLINED" | "PARTIALLY_REFUNDED" | "REFUNDED";
  createTime: string;
  updateTime: string;
}

export interface Refund {
  id: string;
  status: "PENDING" | "COMPLETED" | "FAILED";
  amount: Money;
  invoiceId: string | null;
  customId: string | null;
  note: string | null;
  createTime: string;
}

export interface Dispute {
  id: string;
  status: "WAITING_FOR_SELLER_RESPONSE" | "RESOLVED";
  outcome: "RESOLVED_BUYER_FAVOUR" | "RESOLVED_SELLER_FAVOUR" | null;
  createTime: string;
  updateTime: string;
}

export interface Order {
  id: string;
  account: string;
  status: "PAYER_ACTION_REQUIRED" | "APPROVED" | "COMPLETED";
  customId: string | null;
  invoiceId: string | null;
  description: string;
  amount: Money;
  returnUrl: string;
  cancelUrl: string;
  createTime: string;
  updateTime: string;
  /** The buyer's instrument: a card that is declined, or a bank transfer that takes days. */
  instrument: "good" | "declined" | "slow";
  delivery: "usual" | "silent" | "duplicate" | "out_of_order";
  capture: Capture | null;
  refunds: Refund[];
  dispute: Dispute | null;
  /** Ids of its events, oldest first. */
  events: string[];
}

/** An error response from PayPal. */
export class Refused extends Error {
  readonly status: number;
  readonly issue: string;

  constructor(status: number, issue: string) {
    super(issue);
    this.status = status;
    this.issue = issue;
  }
}

export async function findAccount(world: SimulatorWorld, name: string): Promise<Account> {
  const account = await world.documents.get<Account>("account", name);
  if (account === null) throw new Error(`PayPal has no account ${name}`);
  return account;
}

export const putOrder = (world: SimulatorWorld, order: Order) => world.documents.put("order", order.id, order);

/** Seventeen characters, like PayPal's ids. */
export const makeId = (world: SimulatorWorld) => world.token(17).toUpperCase();

/** The time in PayPal's format, in whole seconds. */
export const stamp = (world: SimulatorWorld) => `${world.now().toISOString().slice(0, 19)}Z`;

const wholeCurrencies = new Set(["HUF", "JPY", "TWD"]);

export const isWhole = (currency: string) => wholeCurrencies.has(currency);

/** The smallest units of its currency that PayPal supports. */
export function unitsOf({ currency_code, value }: Money): number {
  return Math.round(Number(value) * (isWhole(currency_code) ? 1 : 100));
}

export function moneyOf(units: number, currency: string): Money {
  return {
    currency_code: currency,
    value: isWhole(currency) ? String(units) : `${Math.trunc(units / 100)}.${String(units % 100).padStart(2, "0")}`,
  };
}
