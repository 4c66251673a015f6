import type { PageQuery, Tenant, Tx } from "#platform/index.ts";
import {
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
import type { Channel } from "../channel.ts";

export interface SuppressionRow extends Tenant {
  id: string;
  channel: string;
  address: string;
  reason: string;
  source_id: string | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Filters of the list; an absent one matches everything. */
export interface SuppressionFilters {
  channel?: string[];
  reason?: string[];
  address?: string[];
  /** A prefix of the address. */
  q?: string;
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export interface SuppressionQuery extends PageQuery {
  filters: SuppressionFilters;
}

const suppressionColumns: ColumnsOf<SuppressionRow> = columns(
  "suppressions",
  `
  project_id, livemode, id, channel, address, reason, source_id, expires_at, created_at, updated_at`,
);

/** The inserted row, or null if the address exists already. */
export async function insertSuppression(tx: Tx, row: SuppressionRow): Promise<SuppressionRow | null> {
  const [made] = await sql(tx)<SuppressionRow>`
    insert into suppressions (project_id, livemode, id, channel, address, reason, source_id, expires_at, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.address}, ${row.reason}, ${row.source_id},
      ${row.expires_at}, ${row.created_at}, ${row.updated_at})
    on conflict (project_id, livemode, channel, address) do nothing
    returning ${suppressionColumns}`;
  return made ?? null;
}

export async function lockSuppression(tx: Tx, tenant: Tenant, named: { channel: string; address: string }): Promise<SuppressionRow | null> {
  const [row] = await sql(tx)<SuppressionRow>`
    select ${suppressionColumns} from suppressions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and channel = ${named.channel} and address = ${named.address} for update`;
  return row ?? null;
}

export async function updateSuppression(tx: Tx, row: SuppressionRow): Promise<SuppressionRow> {
  const [updated] = await sql(tx)<SuppressionRow>`
    update suppressions set reason = ${row.reason}, source_id = ${row.source_id}, expires_at = ${row.expires_at},
      updated_at = ${row.updated_at}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id} returning ${suppressionColumns}`;
  return updated as SuppressionRow;
}

/** The suppressions of some canonical addresses that are active at a given time. */
export function listActive<On extends Db | Pipe>(
  db: On,
  tenant: Tenant,
  given: { channel: string; addresses: readonly string[] },
): Sent<On, SuppressionRow[]> {
  return send(
    db,
    sql(db)<SuppressionRow>`
    select ${suppressionColumns} from suppressions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and channel = ${given.channel} and address = any (${[...given.addresses]}::text[])
      and (expires_at is null or expires_at > app_now())`,
    (rows) => rows,
  );
}

/** The active suppressions of some of a channel's canonical addresses, of any tenants. */
export async function listActiveOf(db: Db, channel: string, named: readonly (Tenant & { address: string })[]): Promise<SuppressionRow[]> {
  return sql(db)<SuppressionRow>`
    -- all tenants: each address names its own project and environment
    select ${suppressionColumns.of("s")}
    from unnest(${named.map((one) => one.project_id)}::text[], ${named.map((one) => String(one.livemode))}::text[]::boolean[],
      ${named.map((one) => one.address)}::text[]) as given (project_id, livemode, address)
    cross join lateral (
      select ${suppressionColumns.of("s")} from suppressions s where s.project_id = given.project_id and s.livemode = given.livemode
        and s.channel = ${channel} and s.address = given.address and (s.expires_at is null or s.expires_at > app_now())
      limit 1) s`;
}

/** By id, or by address and channel. Expired ones are not found. */
export async function findSuppressionRow(db: Db, tenant: Tenant, named: { id: string; channel: string }): Promise<SuppressionRow | null> {
  const [row] = await sql(db)<SuppressionRow>`
    select ${suppressionColumns} from suppressions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and (id = ${named.id} or (channel = ${named.channel} and address = ${named.id})) and (expires_at is null or expires_at > app_now())`;
  return row ?? null;
}

export async function findSuppressionById(db: Db, tenant: Tenant, id: string): Promise<SuppressionRow | null> {
  const [row] = await sql(db)<SuppressionRow>`
    select ${suppressionColumns} from suppressions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} and (expires_at is null or expires_at > app_now())`;
  return row ?? null;
}

/** A channel's suppressions whose address may not be canonical, after a given position. */
export async function listOddSuppressions(
  db: Db,
  { channel, plain, after }: { channel: string; plain: string; after: SuppressionRow | null },
  limit: number,
): Promise<SuppressionRow[]> {
  return sql(db)<SuppressionRow>`
    -- all tenants: one rule of writing for all
    select ${suppressionColumns} from suppressions
    where (project_id, livemode, id) > (${after?.project_id ?? ""}, ${after?.livemode ?? false}, ${after?.id ?? ""})
      and channel = ${channel} and address !~ ${plain}
    order by project_id, livemode, id limit ${limit}`;
}

export async function updateSuppressedAddress(tx: Tx, row: SuppressionRow, address: string): Promise<void> {
  await sql(tx)`
    update suppressions set address = ${address} where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}

export async function deleteSuppressionRow(tx: Tx, row: Tenant & { id: string }): Promise<boolean> {
  const rows = await sql(tx)`
    delete from suppressions where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
  return rows.count === 1;
}

export function listSuppressionRows(
  db: Db,
  tenant: Tenant,
  given: { filters: SuppressionFilters; channels: readonly Channel[]; cut: PageCut | null },
): PromiseLike<Rows<SuppressionRow>> & Fragment {
  return sql(db)<SuppressionRow>`
    select ${suppressionColumns} from suppressions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and (expires_at is null or expires_at > app_now()) ${filtersOf(db, given)}
      ${listEnd(db, sql(db)`id`, given.cut)}`;
}

function filtersOf(db: Db, { filters, channels }: { filters: SuppressionFilters; channels: readonly Channel[] }): Fragment {
  const tag = sql(db);
  return tag`
    ${filters.channel === undefined ? tag`` : tag`and channel = any (${filters.channel}::text[])`}
    ${filters.reason === undefined ? tag`` : tag`and reason = any (${filters.reason}::text[])`}
    ${filters.address === undefined ? tag`` : tag`and address = any (${filters.address}::text[])`}
    ${filters.q === undefined ? tag`` : beginsWith(db, channels, filters.q)}
    ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}`;
}

/** Each channel's addresses in canonical form. Naming the channels allows the index of addresses to be used. */
function beginsWith(db: Db, channels: readonly Channel[], start: string): Fragment {
  const tag = sql(db);
  const byForm = Map.groupBy(channels, ({ addresses }) => addresses.canonical(start));
  const ranges = [...byForm].map(
    ([form, ones]) =>
      tag`(channel = any (${ones.map(({ name }) => name)}::text[]) and address >= ${form} and address < ${`${form}\u{10ffff}`})`,
  );
  return tag`and (${ranges.reduce((all, range) => tag`${all} or ${range}`)})`;
}

/** Deletes suppressions that expired more than a day ago, in batches. */
export async function deleteEnded(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what ended is forgotten everywhere alike
    delete from suppressions where (project_id, livemode, id) in (
      select project_id, livemode, id from suppressions where expires_at < app_now() - interval '24 hours'
      order by expires_at limit ${limit} for update skip locked)`;
  return rows.count;
}
