import type { Ctx, Tenant } from "#platform/index.ts";
import { findTransferRow } from "./sql.ts";
import { type Transaction, transactionOf } from "./transaction.ts";

/** One transaction of this tenant, or null. */
export async function findTransaction(ctx: Pick<Ctx, "db">, tenant: Tenant, id: string): Promise<Transaction | null> {
  const row = await findTransferRow(ctx.db, tenant, id);
  return row === null ? null : transactionOf(row, row.reversed);
}
