export type ReasonCode = "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";

export interface ReviewInput {
  order_id: string;
  decision: "approve" | "reject";
  /** The reported payment that was looked at. */
  payment_session_id?: string;
  /** The proof that was looked at; null if the payment had none. */
  voucher_id?: string | null;
  /** The channel of the money, if no payment of the order was started. */
  gateway?: string;
  /** The received amount; by default that of the proof, or the session's. */
  received_amount_minor?: number;
  /** The exact missing amount, if less than requested is accepted as full. */
  confirm_shortfall_minor?: number;
  /** The exact excess amount, if more than due arrived. */
  confirm_excess_minor?: number;
  external_transaction_id?: string;
  /** When the money was sent. */
  paid_at?: Date;
  reason_code?: ReasonCode;
  /** A rejection that ends the order instead of returning it to the buyer. */
  final?: boolean;
  note?: string | null;
}
