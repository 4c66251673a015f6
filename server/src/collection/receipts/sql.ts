import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export type ReceiptStatus = "unmatched" | "matched" | "linked" | "ignored";
export type ReceiptSource = "listener" | "statement" | "manual";

export interface ReceiptRow extends Tenant {
  id: string;
  channel: "wechat" | "alipay";
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  external_id: string;
  remark: string | null;
  payer_hint: string | null;
  source: ReceiptSource;
  status: ReceiptStatus;
  payment_session_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface ReceiptFilters {
  status?: string[];
  channel?: string[];
  source?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

/** Null when this channel and external id is there already; a concurrent first one is waited for. */
export async function insertReceiptRow(tx: Tx, row: ReceiptRow): Promise<ReceiptRow | null> {
  const [made] = await sql(tx)<ReceiptRow>`
    insert into receipts (project_id, livemode, id, channel, currency, amount_minor, occurred_at, external_id, remark, payer_hint, source, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.currency}, ${row.amount_minor}, ${row.occurred_at}, ${row.external_id},
      ${row.remark}, ${row.payer_hint}, ${row.source}, ${row.created_at}, ${row.created_at})
    on conflict (project_id, livemode, channel, external_id) do nothing
    returning *`;
  return made ?? null;
}

export async function findReceiptByExternalId(db: Db, tenant: Tenant, key: { channel: string; external_id: string }): Promise<ReceiptRow | null> {
  const [row] = await sql(db)<ReceiptRow>`
    select * from receipts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${key.channel} and external_id = ${key.external_id}`;
  return row ?? null;
}

export async function findReceipt(db: Db, tenant: Tenant, id: string): Promise<ReceiptRow | null> {
  const [row] = await sql(db)<ReceiptRow>`
    select * from receipts where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** The receipt, locked, if it still waits for a decision. */
export async function lockWaiting(tx: Tx, receipt: Tenant & { id: string }): Promise<ReceiptRow | null> {
  const [row] = await sql(tx)<ReceiptRow>`
    select * from receipts
    where project_id = ${receipt.project_id} and livemode = ${receipt.livemode} and id = ${receipt.id} and status = 'unmatched'
    for no key update skip locked`;
  return row ?? null;
}

/** Waiting receipts of an amount in a span of time, locked. */
export async function lockWaitingAround(tx: Tx, tenant: Tenant, given: { channel: string; amount_minor: number; from: Date; to: Date }): Promise<ReceiptRow[]> {
  return sql(tx)<ReceiptRow>`
    select * from receipts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${given.channel} and amount_minor = ${given.amount_minor}
      and occurred_at between ${given.from} and ${given.to} and status = 'unmatched'
    order by id limit 20 for no key update`;
}

/** Receipts of other sources that show the same amount within five minutes and are decided: the same transfer seen by another eye. */
export async function listTwins(db: Db, receipt: ReceiptRow): Promise<ReceiptRow[]> {
  return sql(db)<ReceiptRow>`
    select * from receipts t
    where t.project_id = ${receipt.project_id} and t.livemode = ${receipt.livemode} and t.channel = ${receipt.channel} and t.amount_minor = ${receipt.amount_minor}
      and t.source <> ${receipt.source} and t.id <> ${receipt.id} and t.status in ('matched', 'linked')
      and t.occurred_at between ${receipt.occurred_at}::timestamptz - interval '5 minutes' and ${receipt.occurred_at}::timestamptz + interval '5 minutes'
      and not exists (select from receipts taken
        where taken.project_id = t.project_id and taken.livemode = t.livemode and taken.status in ('matched', 'linked') and taken.source = ${receipt.source}
          and taken.payment_session_id is not distinct from t.payment_session_id and taken.channel = t.channel and taken.amount_minor = t.amount_minor
          and taken.occurred_at between t.occurred_at - interval '5 minutes' and t.occurred_at + interval '5 minutes')
    order by t.id limit 20`;
}

export async function updateReceipt(tx: Tx, receipt: Tenant & { id: string }, given: { status: ReceiptStatus; payment_session_id: string | null; now: Date }): Promise<ReceiptRow | null> {
  const [row] = await sql(tx)<ReceiptRow>`
    update receipts set status = ${given.status}, payment_session_id = ${given.payment_session_id}, updated_at = ${given.now}
    where project_id = ${receipt.project_id} and livemode = ${receipt.livemode} and id = ${receipt.id} and status = 'unmatched'
    returning *`;
  return row ?? null;
}

export async function listUnmatched(db: Db, given: { before: Date; limit: number }): Promise<ReceiptRow[]> {
  return sql(db)<ReceiptRow>`
    -- all tenants: the worker looks again at whatever waits
    select * from receipts where status = 'unmatched' and created_at < ${given.before} order by updated_at limit ${given.limit}`;
}

export async function listReceiptRows(
  db: Db,
  tenant: Tenant,
  page: { starting_after?: string; ending_before?: string; limit: number; filters: ReceiptFilters },
): Promise<ReceiptRow[]> {
  const { filters } = page;
  const backwards = page.ending_before !== undefined;
  return sql(db)<ReceiptRow>`
    select * from receipts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and (${filters.status ?? null}::text[] is null or status = any (${filters.status ?? null}::text[]))
      and (${filters.channel ?? null}::text[] is null or channel = any (${filters.channel ?? null}::text[]))
      and (${filters.source ?? null}::text[] is null or source = any (${filters.source ?? null}::text[]))
      and (${filters.created_gte ?? null}::timestamptz is null or created_at >= ${filters.created_gte ?? null})
      and (${filters.created_gt ?? null}::timestamptz is null or created_at > ${filters.created_gt ?? null})
      and (${filters.created_lte ?? null}::timestamptz is null or created_at <= ${filters.created_lte ?? null})
      and (${filters.created_lt ?? null}::timestamptz is null or created_at < ${filters.created_lt ?? null})
      and (${page.starting_after ?? null}::text is null or id < ${page.starting_after ?? null})
      and (${page.ending_before ?? null}::text is null or id > ${page.ending_before ?? null})
    order by id ${backwards ? sql(db)`asc` : sql(db)`desc`} limit ${page.limit + 1}`;
}
