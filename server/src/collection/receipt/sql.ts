import type { PageQuery, Tenant, Tx } from "#platform/index.ts";
import {
  byKey,
  type ColumnsOf,
  columns,
  type Db,
  type Fragment,
  listEnd,
  type PageCut,
  type Pipe,
  type Rows,
  type Sent,
  send,
  sql,
} from "#platform/sql.ts";
import type { Account } from "../account/sql.ts";
import type { ReceiptRow } from "./receipt-row.ts";
import { type ReceiptStatus, receiptStates, transferStates } from "./states.ts";

export interface ReceiptFilters {
  status?: string[];
  channel?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export interface ReceiptQuery extends PageQuery {
  filters: ReceiptFilters;
}

const receiptColumns: ColumnsOf<ReceiptRow> = columns(
  "receipts",
  `
  project_id, livemode, id, channel, currency, amount_minor, occurred_at, external_id, content_hash, remark, payer_hint, source, status,
  payment_session_id, twin_id, created_at, updated_at, exception_id, merchant_id, account_ref, external_key, has_known_number, kind, state,
  booked_project_id, booked_external_id, set_id, decided_by, decision_reason, created_by, releases`,
);

/** False if the transfer's number, or a receipt with the same content and no number, already exists. */
export async function insertReceiptRow(tx: Tx, row: ReceiptRow): Promise<boolean> {
  const rows = await sql(tx)`
    insert into receipts (project_id, livemode, id, merchant_id, channel, account_ref, currency, amount_minor, occurred_at, external_id,
      external_key, content_hash, remark, payer_hint, kind, state, source, status, decided_by, decision_reason,
      created_by, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.merchant_id}, ${row.channel}, ${row.account_ref}, ${row.currency},
      ${row.amount_minor}, ${row.occurred_at}, ${row.external_id}, ${row.external_key}, ${row.content_hash}, ${row.remark},
      ${row.payer_hint}, ${row.kind}, ${row.state}, ${row.source}, ${row.status}, ${row.decided_by}, ${row.decision_reason},
      ${row.created_by}, ${row.created_at}, ${row.updated_at})
    on conflict do nothing`;
  return rows.count === 1;
}

/** The receipt that was there first; it may belong to another project that shares the account. */
export async function findSameReceipt(tx: Tx, row: ReceiptRow): Promise<ReceiptRow | null> {
  const rows = await sql(tx)<ReceiptRow>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    select ${receiptColumns} from receipts
    where merchant_id = ${row.merchant_id} and livemode = ${row.livemode} and channel = ${row.channel}
      and (external_key = ${row.external_key} or (account_ref = ${row.account_ref} and content_hash = ${row.content_hash}))
    order by id limit 1`;
  return rows[0] ?? null;
}

/** A project's receipt with the same content in another account, from before the project's code last changed. */
export async function findReceiptBeforeMove(tx: Tx, row: ReceiptRow): Promise<ReceiptRow | null> {
  const [first] = await sql(tx)<ReceiptRow>`
    select ${receiptColumns.of("r")} from receiving_accounts a
    join receipts r on r.merchant_id = a.merchant_id and r.livemode = a.livemode and r.channel = a.channel and r.account_ref = a.account_ref
      and r.content_hash = ${row.content_hash} and r.project_id = ${row.project_id}
    join collection_profiles c on c.project_id = r.project_id and c.livemode = r.livemode and c.channel = r.channel
    where a.merchant_id = ${row.merchant_id} and a.livemode = ${row.livemode} and a.channel = ${row.channel}
      and a.account_ref <> ${row.account_ref} and c.account_ref = ${row.account_ref} and r.created_at < c.updated_at
    order by r.id limit 1`;
  return first ?? null;
}

/** The receipts with these numbers, in any of the merchant's projects and accounts. */
export async function listReceiptsOfNumbers(
  db: Db,
  account: Pick<Account, "merchant_id" | "livemode" | "channel">,
  keys: string[],
): Promise<ReceiptRow[]> {
  return sql(db)<ReceiptRow>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    select ${receiptColumns} from receipts
    where merchant_id = ${account.merchant_id} and livemode = ${account.livemode} and channel = ${account.channel}
      and external_key = any (${keys}::text[])`;
}

/** The receipt with a number, in any of the merchant's projects. */
export async function findReceiptOfKey(
  db: Db,
  account: Pick<Account, "merchant_id" | "livemode" | "channel">,
  key: string,
): Promise<ReceiptRow | null> {
  const [row] = await sql(db)<ReceiptRow>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    select ${receiptColumns} from receipts
    where merchant_id = ${account.merchant_id} and livemode = ${account.livemode} and channel = ${account.channel}
      and external_key = ${key}`;
  return row ?? null;
}

/** One receipt, or null. */
export async function findReceipt(db: Db, tenant: Tenant, id: string): Promise<ReceiptRow | null> {
  const rows = await byKey(db)<ReceiptRow>`
    select ${receiptColumns} from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return rows[0] ?? null;
}

/** Which of these receipts belong to the project. */
export async function listReceiptIds(db: Db, tenant: Tenant, ids: string[]): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select id from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${ids}::text[])`;
  return rows.map((row) => row.id);
}

/** A receipt, locked until commit. */
export async function lockReceipt(tx: Tx, tenant: Tenant, id: string): Promise<ReceiptRow | null> {
  const rows = await sql(tx)<ReceiptRow>`
    select ${receiptColumns} from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} for no key update`;
  return rows[0] ?? null;
}

/** What a decision about a receipt writes; absent members don't change. */
export interface ReceiptMove {
  status: ReceiptStatus;
  payment_session_id?: string | null;
  exception_id?: string | null;
  twin_id?: string | null;
  booked?: { project_id: string; external_id: string } | null;
  set_id?: string | null;
  decided_by?: string | null;
  decision_reason?: string | null;
  /** Its money was booked and removed from the books once more. */
  released?: boolean;
}

export async function updateReceipt(tx: Tx, receipt: ReceiptRow, to: ReceiptMove): Promise<ReceiptRow> {
  receiptStates.check([receipt.status], to.status);
  const value = <K extends keyof ReceiptMove & keyof ReceiptRow>(name: K) =>
    (to[name] === undefined ? receipt[name] : to[name]) as string | null;
  const booked =
    to.booked === undefined
      ? { project_id: receipt.booked_project_id, external_id: receipt.booked_external_id }
      : (to.booked ?? { project_id: null, external_id: null });
  const [row] = await sql(tx)<ReceiptRow>`
    update receipts set status = ${to.status}, payment_session_id = ${value("payment_session_id")}, exception_id = ${value("exception_id")},
      twin_id = ${value("twin_id")}, booked_project_id = ${booked.project_id}, booked_external_id = ${booked.external_id},
      set_id = ${value("set_id")}, decided_by = ${value("decided_by")}, decision_reason = ${value("decision_reason")},
      releases = releases + ${to.released === true ? 1 : 0}, updated_at = app_now()
    where project_id = ${receipt.project_id} and livemode = ${receipt.livemode} and id = ${receipt.id} returning ${receiptColumns}`;
  if (row === undefined) throw new Error("a locked receipt vanished");
  return row;
}

/** Receipts of other sources that count as the same transfer as this one and follow it. */
export async function lockDuplicates(tx: Tx, receipt: ReceiptRow): Promise<ReceiptRow[]> {
  return sql(tx)<ReceiptRow>`
    select ${receiptColumns} from receipts where merchant_id = ${receipt.merchant_id} and livemode = ${receipt.livemode}
      and twin_id = ${receipt.id} order by id for no key update
    -- all tenants: projects of one merchant share an account`;
}

/** The receipts that were closed as one set. */
export async function listOfSet(tx: Tx, account: Account, setId: string): Promise<ReceiptRow[]> {
  return sql(tx)<ReceiptRow>`
    -- all tenants: projects of one merchant share an account
    select ${receiptColumns} from receipts where merchant_id = ${account.merchant_id} and livemode = ${account.livemode}
      and set_id = ${setId} order by id for no key update`;
}

export function listReceiptRows(
  db: Db,
  tenant: Tenant,
  given: { filters: ReceiptFilters; cut: PageCut | null },
): PromiseLike<Rows<ReceiptRow>> & Fragment {
  return sql(db)<ReceiptRow>`
    select ${receiptColumns} from receipts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} ${filtersOf(db, given.filters)}
      ${listEnd(db, sql(db)`id`, given.cut)}`;
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

/** Waiting receipts of all projects, created in a span of time, oldest first, only those after `after`. */
export async function listUnmatched(
  db: Db,
  page: { since: Date; before: Date; after: ReceiptRow | null; limit: number },
): Promise<ReceiptRow[]> {
  const { after } = page;
  return sql(db)<ReceiptRow>`
    select ${receiptColumns} from receipts where status = 'unmatched' and created_at >= ${page.since} and created_at < ${page.before}
      ${after === null ? sql(db)`` : sql(db)`and (created_at, id) > (${after.created_at}, ${after.id})`}
    order by created_at, id limit ${page.limit}
    -- all tenants: the worker that looks again at waiting receipts`;
}

/** Receipts of an account with one of these amounts, within a span of time, without ignored ones. */
export function listSeenReceipts<On extends Db | Pipe>(
  db: On,
  account: Account,
  given: { amounts: number[]; from: Date; to: Date; statuses: ReceiptStatus[]; limit: number },
): Sent<On, ReceiptRow[]> {
  return send(
    db,
    sql(db)<ReceiptRow>`
    -- all tenants: projects of one merchant share an account
    select ${receiptColumns} from receipts
    where merchant_id = ${account.merchant_id} and livemode = ${account.livemode} and channel = ${account.channel}
      and account_ref = ${account.account_ref} and amount_minor = any (${given.amounts}::bigint[])
      and occurred_at between ${given.from} and ${given.to}
      and status = any (${given.statuses}::text[])
    order by occurred_at, id limit ${given.limit}`,
    (rows) => rows,
  );
}

/**
 * Updates the state that a wallet now reports for known transfers, by number and amount, where it is a later one; returns those that
 * changed. The caller has locked the account.
 */
export async function updateReceiptStates(
  tx: Tx,
  account: Account,
  given: { states: { key: string; amount_minor: number; state: string }[]; only_project: string | null },
): Promise<ReceiptRow[]> {
  const { states, only_project } = given;
  return sql(tx)<ReceiptRow>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    update receipts r set state = v.state, updated_at = app_now()
    from unnest(${states.map((one) => one.key)}::text[], ${states.map((one) => String(one.amount_minor))}::text[]::bigint[],
      ${states.map((one) => one.state)}::text[]) as v (key, amount_minor, state)
    where r.merchant_id = ${account.merchant_id} and r.livemode = ${account.livemode} and r.channel = ${account.channel}
      and r.external_key = v.key and r.amount_minor = v.amount_minor
      and array_position(${[...transferStates]}::text[], v.state) > array_position(${[...transferStates]}::text[], r.state)
      and (${only_project}::text is null
        or (r.project_id = ${only_project} and coalesce(r.booked_project_id, r.project_id) = ${only_project}))
    returning ${receiptColumns.of("r")}`;
}
