import type { DisputeSnapshot } from "#gateways/index.ts";
import type { Tenant } from "#platform/index.ts";

export type DisputeStatus = DisputeSnapshot["state"];

/** A buyer's dispute of a payment, as its provider last reported it. */
export interface DisputeRow extends Tenant {
  id: string;
  gateway: string;
  credential_id: string;
  provider_dispute_id: string;
  /** Null if the provider refers to one of our payments that isn't in the database. */
  order_id: string | null;
  payment_session_id: string | null;
  status: DisputeStatus;
  amount_minor: number;
  currency: string;
  reason: string | null;
  /** Whether the payment's money is booked, so that the dispute can be debited from it. */
  in_books: boolean;
  /** Whether that money is the order's payment. */
  of_order: boolean;
  fee_minor: number | null;
  fee_currency: string | null;
  /** The transfer that debited the money, unless it was reversed. */
  transaction_id: string | null;
  fee_transaction_id: string | null;
  takings: number;
  fee_takings: number;
  exception_id: string | null;
  /** The provider's time of its newest report. */
  told_at: Date;
  /** When it was won or first lost. A dispute that is open again after a loss keeps it. */
  ended_at: Date | null;
  /** All that the buyer got back since `counted_since`, if the provider reports that; `amount_minor` is without booked refunds. */
  counted_minor: number | null;
  counted_since: Date | null;
  /** The `version` that stored them. An earlier version of Tillpost stores later reports without changing them. */
  counted_version: number | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}
