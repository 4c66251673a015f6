import type { PageQuery, Tenant, Tx } from "#platform/index.ts";
import { byKey, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { DomainRecord } from "./records.ts";
import type { DomainStatus } from "./states.ts";

/** A domain as the API shows it. */
export interface DomainRow extends Tenant {
  id: string;
  name: string;
  status: DomainStatus;
  records: DomainRecord[];
  checked_at: Date | null;
  next_check_at: Date | null;
  pending_since: Date;
  missing_since: Date | null;
  verified_at: Date | null;
  failed_at: Date | null;
  checks: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The fields that never leave this room. */
export interface DomainKeys {
  selector: string;
  private_key: string;
}

type NewDomain = Pick<DomainRow, "project_id" | "livemode" | "id" | "name" | "records" | "next_check_at" | "created_at"> &
  DomainKeys & { token: string; public_key: string };

export interface DomainFilters {
  status?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export interface DomainQuery extends PageQuery {
  filters: DomainFilters;
}

const shown = (db: Db): Fragment =>
  sql(db)`project_id, livemode, id, name, status, records, checked_at, next_check_at, pending_since, missing_since, verified_at, failed_at,
    checks, version, created_at, updated_at`;

/** null if the project already has a domain of this name. */
export async function insertDomain(tx: Tx, row: NewDomain): Promise<DomainRow | null> {
  const [made] = await sql(tx)<DomainRow>`
    insert into domains (project_id, livemode, id, name, token, selector, public_key, private_key, records, next_check_at, pending_since,
      created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.name}, ${row.token}, ${row.selector}, ${row.public_key},
      ${row.private_key}, ${sql(tx).json(row.records)}, ${row.next_check_at}, ${row.created_at}, ${row.created_at}, ${row.created_at})
    on conflict (project_id, livemode, name) do nothing
    returning ${shown(tx)}`;
  return made ?? null;
}

export async function findDomainRow(db: Db, tenant: Tenant, id: string): Promise<DomainRow | null> {
  const [row] = await byKey(db)<DomainRow>`
    select ${shown(db)} from domains where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

export async function findDomainByName(db: Db, tenant: Tenant, name: string): Promise<(DomainRow & DomainKeys) | null> {
  const [row] = await byKey(db)<DomainRow & DomainKeys>`
    select ${shown(db)}, selector, private_key from domains
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and name = ${name}`;
  return row ?? null;
}

/** The project's verified domain that is nearest to an address: the longest of the given names. */
export async function findVerified(db: Db, tenant: Tenant, names: readonly string[]): Promise<(DomainRow & DomainKeys) | null> {
  const [row] = await sql(db)<DomainRow & DomainKeys>`
    select ${shown(db)}, selector, private_key from domains
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and name = any (${[...names]}::text[]) and status = 'verified'
    order by length(name) desc limit 1`;
  return row ?? null;
}

/** True if any project's domain that is or was verified has this host for links in email. */
export async function findLinksName(db: Db, host: { name: string; parent: string }): Promise<boolean> {
  const [row] = await sql(db)`
    -- all tenants: who asks by a host name has not said yet for whom
    select 1 from domains where name = ${host.parent} and verified_at is not null
      and records @> ${sql(db).json([{ purpose: "links", name: host.name }])} limit 1`;
  return row !== undefined;
}

/** Locks the project, so that two concurrent requests can't both add the last domain allowed. */
export async function lockDomainCount(tx: Tx, tenant: Tenant): Promise<number> {
  await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
  const rows = await sql(tx)<{ id: string }>`
    select id from domains where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  return rows.length;
}

export function listDomainRows(
  db: Db,
  tenant: Tenant,
  given: { filters: DomainFilters; cut: PageCut | null },
): PromiseLike<Rows<DomainRow>> & Fragment {
  const tag = sql(db);
  const { filters } = given;
  return tag<DomainRow>`
    select ${shown(db)} from domains where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      ${filters.status === undefined ? tag`` : tag`and status = any (${filters.status}::text[])`}
      ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
      ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
      ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
      ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}
      ${listEnd(db, tag`id`, given.cut)}`;
}

/** Writes a check's result; null if the domain was checked again or deleted in the meantime. */
export async function updateDomain(tx: Tx, row: DomainRow): Promise<DomainRow | null> {
  const [updated] = await sql(tx)<DomainRow>`
    update domains set status = ${row.status}, records = ${sql(tx).json(row.records)}, checks = ${row.checks},
      checked_at = ${row.checked_at}, next_check_at = ${row.next_check_at}, pending_since = ${row.pending_since},
      missing_since = ${row.missing_since}, verified_at = ${row.verified_at}, failed_at = ${row.failed_at},
      version = version + 1, updated_at = app_now()
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id} and version = ${row.version}
    returning ${shown(tx)}`;
  return updated ?? null;
}

/** Domains whose check is due, leased for `leaseMs`. */
export async function lockDue(tx: Tx, given: { leaseMs: number; limit: number }): Promise<DomainRow[]> {
  return sql(tx)<DomainRow>`
    -- all tenants: the worker that looks again at domains
    update domains set next_check_at = app_now() + ${given.leaseMs} * interval '1 millisecond' where (project_id, livemode, id) in (
      select project_id, livemode, id from domains where next_check_at <= app_now()
      order by next_check_at limit ${given.limit} for update skip locked)
    returning ${shown(tx)}`;
}

export async function deleteDomainRow(tx: Tx, tenant: Tenant, id: string): Promise<DomainRow | null> {
  const [row] = await sql(tx)<DomainRow>`
    delete from domains where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} returning ${shown(tx)}`;
  return row ?? null;
}
