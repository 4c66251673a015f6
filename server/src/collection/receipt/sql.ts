import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, type Fragment, sql } from "#platform/sql.ts";
import type { Channel } from "../channels.ts";

export type ReceiptSource = "listener" | "statement" | "manual";
export type ReceiptStatus = "unmatched" | "matched" | "linked" | "ignored";

export interface ReceiptRow extends Tenant {
  id: string;
  channel: Channel;
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  external_id: string | null;
  content_hash: string | null;
  remark: string | null;
  payer_hint: string | null;
  source: ReceiptSource;
  status: ReceiptStatus;
  payment_session_id: string | null;
  /** What its money became when it settled no order, or not as it should. */
  exception_id: string | null;
  twin_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface ReceiptFilters {
  status?: string[];
  channel?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export interface ReceiptQuery {
  starting_after?: string;
  ending_before?: string;
  limit: number;
  filters: ReceiptFilters;
}

/** False when the transfer's number, or a receipt of the same content without a number, is there already. */
export async function insertReceiptRow(tx: Tx, row: ReceiptRow): Promise<boolean> {
  const rows = await sql(tx)`
    insert into receipts (project_id, livemode, id, channel, currency, amount_minor, occurred_at, external_id, content_hash, remark, payer_hint,
      source, status, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.currency}, ${row.amount_minor}, ${row.occurred_at},
      ${row.external_id}, ${row.content_hash}, ${row.remark}, ${row.payer_hint}, ${row.source}, ${row.status}, ${row.created_at}, ${row.updated_at})
    on conflict do nothing`;
  return rows.count === 1;
}

export async function findSameReceipt(tx: Tx, row: ReceiptRow): Promise<ReceiptRow | null> {
  const rows = await sql(tx)<ReceiptRow>`
    select * from receipts where project_id = ${row.project_id} and livemode = ${row.livemode} and channel = ${row.channel}
      and (external_id = ${row.external_id} or content_hash = ${row.content_hash})`;
  return rows[0] ?? null;
}

/** One receipt, or null. */
export async function findReceipt(db: Db, tenant: Tenant, id: string): Promise<ReceiptRow | null> {
  const rows = await sql(db)<ReceiptRow>`
    select * from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return rows[0] ?? null;
}

/** A receipt that still waits for a match, held until commit; null when it found one meanwhile or another process holds it. */
export async function lockWaiting(tx: Tx, seen: ReceiptRow): Promise<ReceiptRow | null> {
  const rows = await sql(tx)<ReceiptRow>`
    select * from receipts where project_id = ${seen.project_id} and livemode = ${seen.livemode} and id = ${seen.id} and status = 'unmatched'
    for update skip locked`;
  return rows[0] ?? null;
}

/** What became of a receipt. `twin_id` names the receipt of another source that shows the same transfer, if that is why. */
export async function updateReceipt(
  tx: Tx,
  receipt: ReceiptRow,
  to: { status: ReceiptStatus; payment_session_id: string | null; exception_id?: string | null; twin_id?: string; now: Date },
): Promise<ReceiptRow | null> {
  const rows = await sql(tx)<ReceiptRow>`
    update receipts set status = ${to.status}, payment_session_id = ${to.payment_session_id}, exception_id = ${to.exception_id ?? receipt.exception_id},
      twin_id = ${to.twin_id ?? receipt.twin_id}, updated_at = ${to.now}
    where project_id = ${receipt.project_id} and livemode = ${receipt.livemode} and id = ${receipt.id} returning *`;
  return rows[0] ?? null;
}

export async function listReceiptRows(db: Db, tenant: Tenant, page: ReceiptQuery): Promise<ReceiptRow[]> {
  const tag = sql(db);
  const backwards = page.ending_before !== undefined;
  return tag<ReceiptRow>`
    select * from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} ${filtersOf(db, page.filters)}
      ${page.starting_after === undefined ? tag`` : tag`and id < ${page.starting_after}`}
      ${page.ending_before === undefined ? tag`` : tag`and id > ${page.ending_before}`}
    order by id ${backwards ? tag`asc` : tag`desc`} limit ${page.limit + 1}`;
}

/** How many receipts fit. */
export async function countReceipts(db: Db, tenant: Tenant, filters: ReceiptFilters): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} ${filtersOf(db, filters)}`;
  return row?.total ?? 0;
}

function filtersOf(db: Db, filters: ReceiptFilters): Fragment {
  const tag = sql(db);
  return tag`
    ${filters.status === undefined ? tag`` : tag`and status = any (${filters.status}::text[])`}
    ${filters.channel === undefined ? tag`` : tag`and channel = any (${filters.channel}::text[])`}
    ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}`;
}

/** Receipts of other sources that show the same amount about the same time, settled or linked, and that have no twin of this source yet. */
export async function listTwinRows(tx: Tx, receipt: ReceiptRow, window: { from: Date; to: Date }): Promise<ReceiptRow[]> {
  return sql(tx)<ReceiptRow>`
    select * from receipts r where r.project_id = ${receipt.project_id} and r.livemode = ${receipt.livemode} and r.channel = ${receipt.channel}
      and r.currency = ${receipt.currency} and r.amount_minor = ${receipt.amount_minor} and r.id <> ${receipt.id} and r.source <> ${receipt.source}
      and r.status in ('matched', 'linked') and r.twin_id is null and r.occurred_at between ${window.from} and ${window.to}
      and not exists (select from receipts t where t.project_id = r.project_id and t.livemode = r.livemode and t.twin_id = r.id and t.source = ${receipt.source})
    order by r.id limit 5 for update of r`;
}

/** Receipts of all projects that have waited since before `before`, oldest first, those behind `after` alone. */
export async function listUnmatched(db: Db, page: { before: Date; after: ReceiptRow | null; limit: number }): Promise<ReceiptRow[]> {
  const { after } = page;
  return sql(db)<ReceiptRow>`
    select * from receipts where status = 'unmatched' and created_at < ${page.before}
      ${after === null ? sql(db)`` : sql(db)`and (created_at, id) > (${after.created_at}, ${after.id})`}
    order by created_at, id limit ${page.limit}
    -- all tenants: the worker that looks again at waiting receipts`;
}

/** Waiting receipts of an amount in a span of time, held until commit. One that is being matched right now is left out: it will see what the caller books. */
export async function lockWaitingAround(
  tx: Tx,
  tenant: Tenant,
  given: { channel: Channel; amount_minor: number; from: Date; to: Date },
): Promise<ReceiptRow[]> {
  return sql(tx)<ReceiptRow>`
    select * from receipts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${given.channel} and amount_minor = ${given.amount_minor}
      and occurred_at between ${given.from} and ${given.to} and status = 'unmatched'
    order by id limit 20 for update skip locked`;
}
