import type { PaymentMethod } from "#gateways/index.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

export interface StartedPayment {
  order: OrderRow;
  session: SessionRow;
  /** False if the order already had an open session of this gateway, which is returned unchanged. */
  created: boolean;
}

/**
 * Sessions of gateways whose payments were closed at their providers. `payable`: it couldn't be closed, and until its end the buyer can
 * still pay it, but the order doesn't wait for that.
 */
export type ClosedSessions = ReadonlyMap<string, "closed" | "payable">;

/** Thrown inside a transaction if an open payment of a gateway must first be closed at its provider, outside the transaction. */
export class OpenAtProvider extends Error {
  readonly session: SessionRow;

  constructor(session: SessionRow) {
    super("a payment is open at its provider");
    this.session = session;
  }
}

/** The data for a new payment: the order is locked, unpaid and in a currency that the method supports. */
export interface Starting<Method extends PaymentMethod> {
  order: OrderRow;
  method: Method;
  amount_minor: number;
  /** Ends the open session of another method once this one can be started. Throws session_active. */
  closeOther(): Promise<void>;
}
