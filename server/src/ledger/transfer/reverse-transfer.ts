import { after, type Pipe, platformErrors, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import { type Transaction, transactionOf } from "../transaction/transaction.ts";
import type { NewReversal } from "./new-transfer.ts";
import { insertReversal } from "./sql.ts";

/**
 * Reverses a transfer with its mirror image. Throws resource_missing for an unknown transfer or one of another tenant; a second reversal
 * violates an index.
 */
export function reverseTransfer<On extends Tx | Pipe>(tx: On, tenant: Tenant, reversal: NewReversal): Sent<On, Transaction> {
  return after(tx, insertReversal(tx, tenant, reversal), (row) => {
    if (row === null) throw platformErrors.resource_missing({ param: "reverses" });
    return transactionOf(row, false);
  });
}
