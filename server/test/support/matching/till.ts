/** What a till requests of a buyer. */
export interface AmountRequest {
  /** Identifies the request as long as its amount and code are the same. */
  reservation: string;
  mode: "exact" | "remark" | "unique_amount";
  amount: number;
  nominal: number;
  code: string | null;
}

/** A transfer as its payer made it; only the model knows who that was. */
export interface Transfer {
  id: string;
  at: Date;
  amount: number;
  note: string | null;
}

export interface TakenTransfer {
  id: string;
  outcome: "settled" | "linked" | "held" | "suggested" | "unmatched" | "ignored";
  /** The order that it paid or is held for. */
  order: string | null;
}

/** An order's request, as the till remembers it. */
export interface Remembered extends AmountRequest {
  order: string;
  from: Date;
  heldUntil: Date;
}

/** The product as the model plays it: the pure rules in memory, or the real thing on PostgreSQL. */
export interface Till {
  now(): Date;
  pass(minutes: number): Promise<void>;
  newOrder(project: 0 | 1, nominal: number, minutes: number): Promise<string>;
  /** Starts or renews the order's payment; null if nothing can be requested. */
  ask(order: string): Promise<AmountRequest | null>;
  /** The buyer chooses another channel. */
  leave(order: string): Promise<void>;
  cancel(order: string): Promise<void>;
  /** The buyer reports a payment, and no one decides. */
  report(order: string): Promise<void>;
  /** The buyer withdraws the report. */
  withdraw(order: string): Promise<void>;
  /** The buyer reports and a person approves. */
  approve(order: string): Promise<void>;
  /** A person assigns money from elsewhere to the order, less than it owes. */
  part(order: string, minor: number): Promise<void>;
  status(order: string): Promise<string>;
  /** What is still to be paid, after partial payments. */
  owes(order: string): Promise<number>;
  remembered(): Promise<Remembered[]>;
  /** Receives a statement or a phone's notifications. */
  take(project: 0 | 1, source: "statement" | "listener", transfers: Transfer[]): Promise<TakenTransfer[]>;
}
