import { platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { type Transaction, transactionOf } from "../transaction/transaction.ts";
import type { NewReversal } from "./new-transfer.ts";
import { insertReversal } from "./sql.ts";

/** Takes a transfer back by its mirror image. Throws resource_missing for a transfer of nobody or of another tenant; a second reversal violates an index. */
export async function reverseTransfer(tx: Tx, tenant: Tenant, reversal: NewReversal): Promise<Transaction> {
  const row = await insertReversal(tx, tenant, reversal);
  if (row === null) throw platformErrors.resource_missing({ param: "reverses" });
  return transactionOf(row, false);
}
