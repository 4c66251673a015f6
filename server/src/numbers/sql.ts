import type { PageQuery, Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { NumberStatus } from "./states.ts";

export type NumberKind = "number" | "alphanumeric";
/** What a number may be used for. */
export type NumberChannel = "sms" | "call";

/** A number or name as the API shows it. */
export interface NumberRow extends Tenant {
  id: string;
  value: string;
  kind: NumberKind;
  country: string | null;
  channels: NumberChannel[];
  countries: string[] | null;
  status: NumberStatus;
  purpose: string | null;
  rejection_reason: string | null;
  decided_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** With its project and merchant, for operators. */
export interface NumberOverview extends NumberRow {
  merchant_id: string;
  merchant_name: string;
  project_name: string;
  /** The project that has the number, if it is another one. */
  owner_project_name: string | null;
}

/** Filters of a project's list; an absent one matches everything. */
export interface NumberFilters {
  status?: string[];
  kind?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export interface NumberQuery extends PageQuery {
  filters: NumberFilters;
}

/** Filters of the operators' list. */
export interface AllNumbersQuery extends PageQuery {
  status: readonly string[];
  /** A prefix of the number or name, or of the project's or merchant's name. */
  q: string | null;
}

const numberColumns: ColumnsOf<NumberRow> = columns(
  "numbers",
  `
  project_id, livemode, id, value, kind, country, channels, countries, status, purpose, rejection_reason, decided_at, version, created_at, updated_at`,
);

/** Locks the project, so that its requests are serialized; returns how many numbers it has. */
export async function lockNumberCount(tx: Tx, tenant: Tenant): Promise<number> {
  await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
  const rows = await sql(tx)`select id from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  return rows.length;
}

export async function insertNumber(tx: Tx, row: NumberRow): Promise<NumberRow> {
  const [made] = await sql(tx)<NumberRow>`
    insert into numbers (project_id, livemode, id, value, kind, country, channels, countries, status, purpose, rejection_reason, decided_at,
      created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.value}, ${row.kind}, ${row.country}, ${row.channels}::text[],
      ${row.countries}::text[], ${row.status}, ${row.purpose}, ${row.rejection_reason},
      ${row.decided_at}, ${row.created_at}, ${row.updated_at})
    returning ${numberColumns}`;
  return made as NumberRow;
}

export async function updateNumber(tx: Tx, row: NumberRow): Promise<NumberRow> {
  const [updated] = await sql(tx)<NumberRow>`
    update numbers set channels = ${row.channels}::text[], countries = ${row.countries}::text[], status = ${row.status},
      purpose = ${row.purpose}, rejection_reason = ${row.rejection_reason}, decided_at = ${row.decided_at},
      version = version + 1, updated_at = app_now()
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}
    returning ${numberColumns}`;
  return updated as NumberRow;
}

export async function findNumberRow(db: Db, tenant: Tenant, id: string): Promise<NumberRow | null> {
  const [row] = await byKey(db)<NumberRow>`
    select ${numberColumns} from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

export async function lockNumberByValue(tx: Tx, tenant: Tenant, value: string): Promise<NumberRow | null> {
  const [row] = await sql(tx)<NumberRow>`
    select ${numberColumns} from numbers
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and value = ${value} for update`;
  return row ?? null;
}

/** A LIVE number of any project. */
export async function lockNumberOfAny(tx: Tx, id: string): Promise<NumberRow | null> {
  const [row] = await sql(tx)<NumberRow>`
    -- all tenants: operators decide on the numbers of any project
    select ${numberColumns} from numbers where livemode and id = ${id} for update`;
  return row ?? null;
}

export async function deleteNumberRow(tx: Tx, tenant: Tenant, id: string): Promise<NumberRow | null> {
  const [row] = await sql(tx)<NumberRow>`
    delete from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}
    returning ${numberColumns}`;
  return row ?? null;
}

export function listNumberRows(
  db: Db,
  tenant: Tenant,
  given: { filters: NumberFilters; cut: PageCut | null },
): PromiseLike<Rows<NumberRow>> & Fragment {
  const tag = sql(db);
  const { filters } = given;
  return tag<NumberRow>`
    select ${numberColumns} from numbers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      ${filters.status === undefined ? tag`` : tag`and status = any (${filters.status}::text[])`}
      ${filters.kind === undefined ? tag`` : tag`and kind = any (${filters.kind}::text[])`}
      ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
      ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
      ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
      ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}
      ${listEnd(db, tag`id`, given.cut)}`;
}

interface AllNumbers {
  id: string | null;
  status: readonly string[];
  q: string | null;
  cut: PageCut | null;
}

/** LIVE numbers of all projects, or the one with an id. */
export function listAllNumberRows(db: Db, { id, status, q, cut }: AllNumbers): PromiseLike<Rows<NumberOverview>> & Fragment {
  const tag = sql(db);
  const starts = (column: Fragment) => tag`starts_with(lower(${column}), lower(${q}))`;
  const search = q === null ? tag`` : tag`and (${starts(tag`n.value`)} or ${starts(tag`p.name`)} or ${starts(tag`m.display_name`)})`;
  return tag<NumberOverview>`
    -- all tenants: operators decide on the numbers of any project
    select ${numberColumns.of("n")}, p.merchant_id, m.display_name as merchant_name, p.name as project_name,
      owner.name as owner_project_name
    from numbers n join projects p on p.id = n.project_id join merchants m on m.id = p.merchant_id
    left join numbers held on held.value = n.value and held.livemode and held.kind = 'number' and held.status = 'approved'
      and held.project_id <> n.project_id
    left join projects owner on owner.id = held.project_id
    where n.livemode ${id === null ? tag`` : tag`and n.id = ${id}`}
      ${status.length === 0 ? tag`` : tag`and n.status = any (${[...status]}::text[])`}
      ${search}
      ${listEnd(db, tag`n.id`, cut)}`;
}
