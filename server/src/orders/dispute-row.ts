import type { DisputeSnapshot } from "#gateways/index.ts";
import type { Tenant } from "#platform/index.ts";

export type DisputeStatus = DisputeSnapshot["state"];

/** A buyer's dispute of a payment, as its provider last told it. */
export interface DisputeRow extends Tenant {
  id: string;
  gateway: string;
  credential_id: string;
  provider_dispute_id: string;
  /** Null where the provider names a payment of ours that is not here. */
  order_id: string | null;
  payment_session_id: string | null;
  status: DisputeStatus;
  amount_minor: number;
  currency: string;
  reason: string | null;
  /** Whether the payment's money is in the books, so that the dispute can take it out of them. */
  in_books: boolean;
  /** Whether that money is the order's payment. */
  of_order: boolean;
  fee_minor: number | null;
  fee_currency: string | null;
  /** The transfer that took the money, while it stands. */
  transaction_id: string | null;
  fee_transaction_id: string | null;
  takings: number;
  fee_takings: number;
  exception_id: string | null;
  /** The provider's moment of the newest that it told. */
  told_at: Date;
  ended_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}
