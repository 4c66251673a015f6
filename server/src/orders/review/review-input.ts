export type ReasonCode = "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";

export interface ReviewInput {
  order_id: string;
  decision: "approve" | "reject";
  /** Which channel the money went through, where no payment of the order was started. */
  gateway?: string;
  /** What really arrived; what the proof says, or the session's amount, when absent. */
  received_amount_minor?: number;
  /** Exactly what is missing, where less than was asked for is taken for the whole. */
  confirm_shortfall_minor?: number;
  /** Exactly what is too much, where more than is owed arrived. */
  confirm_excess_minor?: number;
  external_transaction_id?: string;
  /** When the money was sent. */
  paid_at?: Date;
  reason_code?: ReasonCode;
  /** A rejection that ends the order instead of returning it to the buyer. */
  final?: boolean;
  note?: string | null;
}
