import { newId, type Tenant, type Tx } from "#platform/index.ts";
import type { AccountCode, TransferKind } from "../states.ts";
import { type Transaction, transactionOf } from "../transaction/transaction.ts";
import { insertTransfers } from "./sql.ts";

/** One movement of money to be booked. */
export interface NewTransfer {
  id: string;
  kind: TransferKind;
  /** What caused it; the same kind and source is never booked twice. */
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
  /** The transfer that a `reversal` takes back: same amount, accounts exchanged. */
  reverses?: string | null;
  description?: string | null;
  created_by: string;
  now: Date;
}

/**
 * Books transfers of one tenant in one statement, all or none; accounts appear with their first transfer.
 * A cause that was booked before, or a second reversal, violates an index and undoes the caller's transaction: ask before.
 */
export async function recordTransfers(tx: Tx, tenant: Tenant, transfers: readonly NewTransfer[]): Promise<Transaction[]> {
  if (transfers.length === 0) return [];
  const rows = await insertTransfers(
    tx,
    tenant,
    transfers.map(({ now, ...rest }) => ({ ...rest, created_at: now, wallet_id: newId("wal") })),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return transfers.map((transfer) => {
    const row = byId.get(transfer.id);
    if (row === undefined) throw new Error(`transfer ${transfer.id} was not written`);
    return transactionOf(row, false);
  });
}

/** Books one transfer; see `recordTransfers`. */
export async function recordTransfer(tx: Tx, tenant: Tenant, transfer: NewTransfer): Promise<Transaction> {
  const [transaction] = await recordTransfers(tx, tenant, [transfer]);
  return transaction as Transaction;
}
