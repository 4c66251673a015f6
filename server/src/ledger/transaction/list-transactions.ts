import type { Ctx, Tenant } from "#platform/index.ts";
import type { TransactionStatus, TransactionType } from "../states.ts";
import { findTransactionId, listTransactionRows } from "./sql.ts";
import { type Transaction, transactionOf } from "./transaction.ts";

/** A page of a list that runs newest first: at most one of the two cursors. */
export interface ListPage {
  limit: number;
  starting_after?: string;
  ending_before?: string;
}

/** Which transactions: several values of one filter widen it, several filters narrow it. */
export interface TransactionFilters {
  status?: readonly TransactionStatus[];
  type?: readonly TransactionType[];
  reference?: readonly string[];
  gateway?: readonly string[];
  currency?: readonly string[];
  order_id?: readonly string[];
  created?: { gte?: Date; gt?: Date; lte?: Date; lt?: Date };
}

/** Transactions newest first; null when the cursor names no transaction of this tenant. */
export async function listTransactions(
  ctx: Pick<Ctx, "db">,
  tenant: Tenant,
  query: ListPage & { filters?: TransactionFilters },
): Promise<{ data: Transaction[]; has_more: boolean } | null> {
  const cursor = query.starting_after ?? query.ending_before ?? null;
  if (cursor !== null && (await findTransactionId(ctx.db, tenant, cursor)) === null) return null;
  const rows = await listTransactionRows(ctx.db, tenant, {
    filters: query.filters ?? {},
    before: query.starting_after ?? null,
    after: query.ending_before ?? null,
    limit: query.limit + 1,
  });
  const data = rows.slice(0, query.limit).map((row) => transactionOf(row, row.reversed));
  return { data: query.ending_before === undefined ? data : data.reverse(), has_more: rows.length > query.limit };
}
