import type { SimulatorWorld } from "#gateways/index.ts";

export interface Account {
  name: string;
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  merchantId: string;
  /** Where its callbacks go, once entered. */
  callbackUrl: string | null;
  /** If set, buyers pay Razorpay's fee on top, as a convenience fee; otherwise the merchant pays it. */
  feeBearer?: "customer";
}

export interface Refund {
  id: string;
  amount: number;
  receipt: string | null;
  notes: Record<string, string>;
  status: "pending" | "processed" | "failed";
  createdAt: number;
}

export interface Payment {
  id: string;
  /** `refunded`: authorized and never captured, so that Razorpay refunded it automatically. */
  status: "authorized" | "captured" | "failed" | "refunded";
  createdAt: number;
  refunds: Refund[];
}

export interface Dispute {
  id: string;
  status: "open" | "won" | "lost";
  createdAt: number;
}

export interface Link {
  id: string;
  account: string;
  status: "created" | "paid" | "expired" | "cancelled";
  amount: number;
  currency: string;
  feeBearer?: "customer";
  referenceId: string | null;
  description: string;
  notes: Record<string, string>;
  callbackUrl: string | null;
  expireBy: number;
  createdAt: number;
  endedAt: number;
  /** The attempts to pay it, oldest first. */
  payments: Payment[];
  delivery: "usual" | "silent" | "duplicate" | "out_of_order";
  dispute: Dispute | null;
  /** Ids of its events, oldest first. */
  events: string[];
}

/** An error response from Razorpay. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, description: string) {
    super(description);
    this.status = status;
  }
}

export async function findAccount(world: SimulatorWorld, name: string): Promise<Account> {
  const account = await world.documents.get<Account>("account", name);
  if (account === null) throw new Error(`Razorpay has no account ${name}`);
  return account;
}

export const putLink = (world: SimulatorWorld, link: Link) => world.documents.put("link", link.id, link);

/** Seconds since 1970. */
export const seconds = (world: SimulatorWorld) => Math.floor(world.now().getTime() / 1_000);

/** The payment that paid a link. */
export const takenOf = ({ payments }: Link) => payments.find(({ status }) => status === "captured");

/** Razorpay's fee for a payment of a link: two percent, plus eighteen percent tax on that. The fee includes the tax. */
export function feeOf({ amount }: Link): { fee: number; tax: number } {
  const tax = Math.ceil(amount * 0.02 * 0.18);
  return { fee: Math.ceil(amount * 0.02) + tax, tax };
}

/** What a buyer pays for a link. */
export const chargedOf = (link: Link) => link.amount + (link.feeBearer === "customer" ? feeOf(link).fee : 0);

/** The amount of a payment that was refunded or is being refunded. */
export const refundedOf = ({ refunds }: Payment) =>
  refunds.filter(({ status }) => status !== "failed").reduce((sum, { amount }) => sum + amount, 0);
