import { after, known, newId, type Pipe, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import { type Transaction, transactionOf } from "../transaction/transaction.ts";
import type { NewTransfer } from "./new-transfer.ts";
import { insertTransfers } from "./sql.ts";

/**
 * Books transfers of any tenants in one statement, all or none, and returns them in the given order; accounts are created with their first
 * transfer. A source that was booked before, or a second reversal, violates an index and aborts the caller's transaction: check first.
 */
export function recordTransfers<On extends Tx | Pipe>(
  tx: On,
  transfers: readonly (NewTransfer & { tenant: Tenant })[],
): Sent<On, Transaction[]> {
  if (transfers.length === 0) return known(tx, []);
  const rows = transfers.map(({ now, tenant, ...rest }) => ({
    ...rest,
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    created_at: now,
    wallet_id: newId("wal", now.getTime()),
  }));
  return after(tx, insertTransfers(tx, rows), (written) => {
    const byId = new Map(written.map((row) => [row.id, row]));
    return transfers.map((transfer) => {
      const row = byId.get(transfer.id);
      if (row === undefined) throw new Error(`transfer ${transfer.id} was not written`);
      return transactionOf(row, false);
    });
  });
}
