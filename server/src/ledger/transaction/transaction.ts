import { type AccountCode, signOf, statusOf, type TransactionStatus, type TransactionType, type TransferKind, typeOf } from "../states.ts";

/** A stored transfer: `amount_minor` is positive and moves from `credit` to `debit`. */
export interface TransferRow {
  id: string;
  project_id: string;
  livemode: boolean;
  kind: TransferKind;
  source: string;
  currency: string;
  gateway: string;
  debit: AccountCode;
  credit: AccountCode;
  amount_minor: number;
  order_id: string | null;
  reference: string | null;
  payment_session_id: string | null;
  external_transaction_id: string | null;
  reverses: string | null;
  description: string | null;
  created_by: string;
  created_at: Date;
}

/** A transfer as the API shows it: from the wallet's point of view, so that outgoing amounts are negative. */
export interface Transaction {
  id: string;
  object: "transaction";
  project_id: string;
  livemode: boolean;
  type: TransactionType;
  status: TransactionStatus;
  gateway: string;
  currency: string;
  amount_minor: number;
  fee_minor: number;
  net_minor: number;
  forgiven_minor: number;
  order_id: string | null;
  reference: string | null;
  payment_session_id: string | null;
  external_transaction_id: string | null;
  reverses: string | null;
  description: string | null;
  created_by: string;
  created_at: Date;
}

export function transactionOf(row: TransferRow, reversed: boolean): Transaction {
  const signed = signOf(row.debit, row.credit) * row.amount_minor;
  const reaches = row.debit === "custody" || row.credit === "custody";
  return {
    id: row.id,
    object: "transaction",
    project_id: row.project_id,
    livemode: row.livemode,
    type: typeOf(row),
    status: statusOf(row.kind, reversed),
    gateway: row.gateway,
    currency: row.currency,
    // A forgiven amount completes a payment but reaches no wallet: a wallet's balance is the sum of the amounts, and of the net amounts.
    amount_minor: reaches ? signed : 0,
    fee_minor: 0,
    net_minor: reaches ? signed : 0,
    forgiven_minor: row.debit === "shortfall" || row.credit === "shortfall" ? signed : 0,
    order_id: row.order_id,
    reference: row.reference,
    payment_session_id: row.payment_session_id,
    external_transaction_id: row.external_transaction_id,
    reverses: row.reverses,
    description: row.description,
    created_by: row.created_by,
    created_at: row.created_at,
  };
}
