import type { ErrorDetail, Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { SendingChannel } from "../channel.ts";

/** Errors stored by older versions have no reason. */
export interface BatchFault extends ErrorDetail {
  index: number;
}

export interface BatchRow extends Tenant {
  id: string;
  channel: string;
  total: number;
  accepted: number;
  /** Its messages with their positions in the request. */
  items: { index: number; id: string }[];
  errors: BatchFault[];
  created_at: Date;
}

/** Filters of the list of batches; an absent one matches everything. */
export interface BatchFilters {
  channel?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

const batchColumns: ColumnsOf<BatchRow> = columns(
  "batches",
  `
  project_id, livemode, id, channel, total, accepted, items, errors, created_at`,
);

export async function insertBatch(tx: Tx, row: BatchRow): Promise<void> {
  await sql(tx)`
    insert into batches (project_id, livemode, id, channel, total, accepted, items, errors, created_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.total}, ${row.accepted}, ${sql(tx).json(row.items)},
      ${sql(tx).json(row.errors)}, ${row.created_at})`;
}

export async function findBatchRow(db: Db, tenant: Tenant, id: string): Promise<BatchRow | null> {
  const [row] = await sql(db)<BatchRow>`
    select ${batchColumns} from batches where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** The states of a batch's messages. */
export async function listStatuses(
  db: Db,
  tenant: Tenant,
  { channel, id }: { channel: SendingChannel; id: string },
): Promise<{ id: string; status: string }[]> {
  return sql(db)<{ id: string; status: string }>`
    select id, status from ${channel.messages.table(sql(db))}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and batch_id = ${id} order by id`;
}

export function listBatchRows(
  db: Db,
  tenant: Tenant,
  given: { filters: BatchFilters; cut: PageCut | null },
): PromiseLike<Rows<BatchRow>> & Fragment {
  const tag = sql(db);
  const { channel, created_gte, created_gt, created_lte, created_lt } = given.filters;
  return tag<BatchRow>`
    select ${batchColumns} from batches where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      ${channel === undefined ? tag`` : tag`and channel = any (${channel}::text[])`}
      ${created_gte === undefined ? tag`` : tag`and created_at >= ${created_gte}`}
      ${created_gt === undefined ? tag`` : tag`and created_at > ${created_gt}`}
      ${created_lte === undefined ? tag`` : tag`and created_at <= ${created_lte}`}
      ${created_lt === undefined ? tag`` : tag`and created_at < ${created_lt}`}
      ${listEnd(db, tag`id`, given.cut)}`;
}

/** How many messages of each of a channel's batches have each state. */
export async function listBatchStatuses(
  db: Db,
  tenant: Tenant,
  { channel, ids }: { channel: SendingChannel; ids: string[] },
): Promise<{ batch_id: string; status: string; messages: number }[]> {
  return sql(db)<{ batch_id: string; status: string; messages: number }>`
    select batch_id, status, count(*) as messages from ${channel.messages.table(sql(db))}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and batch_id = any (${ids}::text[])
    group by batch_id, status`;
}

/** Removes the per-message details of batches before a given time. */
export async function updateClearedBatches(tx: Tx, before: Date, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    update batches set items = '[]', errors = '[]' where (project_id, livemode, id) in (
      select project_id, livemode, id from batches where created_at < ${before} and (items <> '[]'::jsonb or errors <> '[]'::jsonb)
      order by created_at limit ${limit} for update skip locked)`;
  return rows.count;
}
