import type { Ctx, Tenant } from "#platform/index.ts";
import type { Listed, ListPage, TransactionFilters } from "./filters.ts";
import { countTransactionRows, findTransactionId, listTransactionRows } from "./sql.ts";
import { type Transaction, transactionOf } from "./transaction.ts";

/** Transactions newest first; null if the cursor is no transaction of this tenant. */
export async function listTransactions(
  ctx: Pick<Ctx, "db">,
  tenant: Tenant,
  query: ListPage & { filters?: TransactionFilters },
): Promise<Listed<Transaction> | null> {
  const filters = query.filters ?? {};
  const cursor = query.starting_after ?? query.ending_before ?? null;
  if (cursor !== null && (await findTransactionId(ctx.db, tenant, cursor)) === null) return null;
  const rows = await listTransactionRows(ctx.db, tenant, {
    filters,
    before: query.starting_after ?? null,
    after: query.ending_before ?? null,
    limit: query.limit + 1,
  });
  const data = rows.slice(0, query.limit).map((row) => transactionOf(row, row.reversed));
  const total = query.total === true ? { total_count: await countTransactionRows(ctx.db, tenant, filters) } : {};
  return { data: query.ending_before === undefined ? data : data.reverse(), has_more: rows.length > query.limit, ...total };
}
