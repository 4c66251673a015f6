import type { PaymentMethod } from "#gateways/index.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

export interface StartedPayment {
  order: OrderRow;
  session: SessionRow;
  /** False when the order already had an open session of this gateway, which is returned as it is. */
  created: boolean;
}

/** Thrown inside a transaction where an open payment of a gateway has to be closed at its provider first, which is done outside of it. */
export class OpenAtProvider extends Error {
  readonly session: SessionRow;

  constructor(session: SessionRow) {
    super("a payment is open at its provider");
    this.session = session;
  }
}

/** What a payment is started with: the order is locked, unpaid and in a currency that the method takes. */
export interface Starting<Method extends PaymentMethod> {
  order: OrderRow;
  method: Method;
  amount_minor: number;
  /** Ends the open session of another method, once this one can be started. Throws session_active. */
  closeOther(): Promise<void>;
}
