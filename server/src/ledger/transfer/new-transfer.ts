import type { AccountCode, TransferKind } from "../states.ts";

/** A transfer to be booked. */
export interface NewTransfer {
  id: string;
  kind: TransferKind;
  /** Its source; the same kind and source is never booked twice. */
  source: string;
  debit: AccountCode;
  credit: AccountCode;
  amount_minor: number;
  currency: string;
  gateway: string;
  order_id?: string | null;
  /** The order's reference, so that lists and exports can be read without the order. */
  reference?: string | null;
  payment_session_id?: string | null;
  external_transaction_id?: string | null;
  /** The transfer that a `reversal` reverses: same amount, accounts exchanged. */
  reverses?: string | null;
  description?: string | null;
  created_by: string;
  now: Date;
}

export interface NewReversal {
  id: string;
  /** The complete transfer to reverse. */
  reverses: string;
  source: string;
  description?: string | null;
  created_by: string;
  now: Date;
}
