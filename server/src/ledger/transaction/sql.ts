import type { Tenant } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, type Fragment, sql } from "#platform/sql.ts";
import { kindsOf, type TransactionStatus, type TransactionType } from "../states.ts";
import type { TransactionFilters } from "./filters.ts";
import type { TransferRow } from "./transaction.ts";

export const transferColumns: ColumnsOf<TransferRow> = columns(
  "ledger_transfers",
  `
  project_id, livemode, id, kind, source, currency, gateway, debit, credit, amount_minor, order_id, reference, payment_session_id,
  external_transaction_id, reverses, description, created_by, created_at`,
);

type ListedRow = TransferRow & { reversed: boolean };

export interface TransactionPage {
  filters: TransactionFilters;
  /** Transactions before this one, newest first; or after it, oldest first. */
  before: string | null;
  after: string | null;
  limit: number;
}

/**
 * One page of a tenant's transactions.
 *
 * Plan: `ledger_transfers_pkey` in the order of ids, from the cursor until the page is full; with a filter for orders or references,
 * `ledger_transfers_of_order` or `ledger_transfers_by_reference`. Filters that weren't requested aren't in the text: their parameters would
 * hide from the planner which index applies. `ledger_transfers_reversed_once` shows whether a row was reversed, only for the rows of the
 * page.
 */
export async function listTransactionRows(db: Db, tenant: Tenant, page: TransactionPage): Promise<ListedRow[]> {
  return sql(db)<ListedRow>`
    select ${transferColumns.of("t")}, ${reversed(db)} as reversed from ledger_transfers t
    where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode}
      ${page.before === null ? none(db) : sql(db)`and t.id < ${page.before}`}
      ${page.after === null ? none(db) : sql(db)`and t.id > ${page.after}`}
      ${matching(db, page.filters)}
    order by ${page.after === null ? sql(db)`t.id desc` : sql(db)`t.id`} limit ${page.limit}`;
}

export async function countTransactionRows(db: Db, tenant: Tenant, filters: TransactionFilters): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from ledger_transfers t
    where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode} ${matching(db, filters)}`;
  return row?.total ?? 0;
}

export async function findTransferRow(db: Db, tenant: Tenant, id: string): Promise<ListedRow | null> {
  const [row] = await sql(db)<ListedRow>`
    select ${transferColumns.of("t")}, ${reversed(db)} as reversed from ledger_transfers t
    where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode} and t.id = ${id}`;
  return row ?? null;
}

export async function findTransactionId(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  const [row] = await byKey(db)<{ id: string }>`
    select id from ledger_transfers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row?.id ?? null;
}

const none = (db: Db): Fragment => sql(db)``;

/**
 * Looked up for each row that is answered. Without `offset 0` the planner may read every transfer of every tenant once instead, to compare
 * with that.
 */
const reversed = (db: Db): Fragment => sql(db)`
  exists (select from ledger_transfers r where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id offset 0)`;

/** The statement contains only the requested filters, so that the planner can choose the right index. */
function matching(db: Db, filters: TransactionFilters): Fragment {
  const created = filters.created ?? {};
  return sql(db)`
    ${filters.status === undefined ? none(db) : withStatus(db, filters.status)}
    ${filters.type === undefined ? none(db) : withType(db, filters.type)}
    ${filters.reference === undefined ? none(db) : sql(db)`and t.reference = any(${filters.reference}::text[])`}
    ${filters.gateway === undefined ? none(db) : sql(db)`and t.gateway = any(${filters.gateway}::text[])`}
    ${filters.currency === undefined ? none(db) : sql(db)`and t.currency = any(${filters.currency}::text[])`}
    ${filters.order_id === undefined ? none(db) : sql(db)`and t.order_id = any(${filters.order_id}::text[])`}
    ${created.gte === undefined ? none(db) : sql(db)`and t.created_at >= ${created.gte}`}
    ${created.gt === undefined ? none(db) : sql(db)`and t.created_at > ${created.gt}`}
    ${created.lte === undefined ? none(db) : sql(db)`and t.created_at <= ${created.lte}`}
    ${created.lt === undefined ? none(db) : sql(db)`and t.created_at < ${created.lt}`}`;
}

function withStatus(db: Db, wanted: readonly TransactionStatus[]): Fragment {
  const heldAlone = wanted.every((status) => status === "held");
  return sql(db)`
    ${heldAlone ? sql(db)`and t.kind in ('suspense', 'excess')` : none(db)}
    and case when ${reversed(db)} then 'reversed' when t.kind in ('suspense', 'excess') then 'held'
      else 'completed' end = any(${wanted}::text[])`;
}

function withType(db: Db, wanted: readonly TransactionType[]): Fragment {
  return sql(db)`
    and (t.kind = any(${kindsOf(wanted)}::text[]) and t.debit <> 'shortfall'
      or ${wanted.includes("adjustment")} and t.debit = 'shortfall')`;
}
