import type { HoldBook, Rules } from "./hold-book.ts";
import type { AmountRequest, Till, Transfer } from "./till.ts";

/** What the model counted. `faults` must stay empty. */
export interface Report {
  histories: number;
  orders: number;
  transfers: number;
  /** Transfers that settled their own payer's order automatically. */
  settled: number;
  /** Those that had to, by the contract. */
  owed: number;
  waited: number;
  held: number;
  /** Transfers that paid the wrong order, made after their amount or code was reused, or with another order's amount. */
  misplaced: number;
  faults: string[];
}

export const emptyReport = (): Report => ({
  histories: 0,
  orders: 0,
  transfers: 0,
  settled: 0,
  owed: 0,
  waited: 0,
  held: 0,
  misplaced: 0,
  faults: [],
});

/** A transfer with what only the model knows. */
export interface True extends Transfer {
  /** The order that its payer meant; null for private income. */
  payer: string | null;
  /** The request that the payer answered; null if they typed something else. */
  answers: AmountRequest | null;
  careless: "round" | "other" | "no_code" | null;
  seenIn: Set<string>;
}

/** An order's status, and what is still to be paid. */
export interface OrderState {
  status: string;
  owed: number;
}

export interface Play {
  till: Till;
  random(): number;
  report: Report;
  orders: string[];
  requests: Map<string, AmountRequest>;
  expires: Map<string, Date>;
  transfers: True[];
  name: string;
  rules: Rules;
  holds: HoldBook;
}
