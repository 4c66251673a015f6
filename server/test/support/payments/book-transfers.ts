import { type NewTransfer, recordTransfers, type Transaction } from "#ledger/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";

/** Books transfers of one tenant. */
export function bookTransfers(tx: Tx, tenant: Tenant, transfers: readonly NewTransfer[]): Promise<Transaction[]> {
  return recordTransfers(
    tx,
    transfers.map((transfer) => ({ ...transfer, tenant })),
  );
}
