import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Fragment, givenTenants, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { ComparisonStatus } from "../comparison/sql.ts";

/** Whether the provider accepts the credentials: not checked or not reached, confirmed, or refused. */
export type CredentialStatus = "unchecked" | "checked" | "failed";

/** Why a check didn't confirm the credentials, with the provider's message if there is one. */
export interface CheckError {
  code: string;
  message: string;
}

/** The last comparison of an account's payments with the provider's list; null members before the first one. */
export interface Compared {
  comparison_status: ComparisonStatus | null;
  /** When it was last tried, and up to when the provider's list was compared. */
  compared_at: Date | null;
  compared_until: Date | null;
  compared_lines: number;
  compared_differences: number;
  comparison_error: CheckError | null;
}

/** A merchant's account with a payment provider, without its secrets. */
export interface Credential extends Tenant, Compared {
  id: string;
  gateway: string;
  /** Its provider is simulated inside this program; only in TEST. */
  demo: boolean;
  label: string | null;
  /** Off: no new payments. Existing ones, refunds and callbacks continue. */
  enabled: boolean;
  /** Payments go to the lowest position first; among equal ones by weight. */
  position: number;
  weight: number;
  min_minor: number | null;
  max_minor: number | null;
  /** Null: every amount that the gateway accepts. */
  currencies: string[] | null;
  /** The fields that aren't secret. */
  fields: Record<string, string>;
  /** The ending of each secret field. */
  secret_last4: Record<string, string>;
  /** Grows by one whenever fields are replaced. */
  fields_version: number;
  status: CredentialStatus;
  checked_at: Date | null;
  check_error: CheckError | null;
  account: string | null;
  account_name: string | null;
  consecutive_failures: number;
  failing_since: Date | null;
  breaker_until: Date | null;
  /** Its breaker is open: no requests at the moment. */
  is_paused: boolean;
  /** Until when the newest previous fields verify callbacks; null if there are none. */
  former_until: Date | null;
  version: number;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  updated_by: string;
  removed_at: Date | null;
}

/** As it is stored. */
export interface CredentialRow extends Credential {
  sealed: string;
  check_tries: number;
}

type Stored = Omit<CredentialRow, "is_paused" | "former_until" | keyof Compared>;
/** The columns that this program writes; the others have defaults. */
export type NewCredential = Omit<
  Stored,
  | "fields_version"
  | "check_tries"
  | "consecutive_failures"
  | "failing_since"
  | "breaker_until"
  | "version"
  | "updated_at"
  | "updated_by"
  | "removed_at"
>;

const credentialColumns: ColumnsOf<Stored> = columns(
  "gateway_credentials",
  `
  project_id, livemode, id, gateway, demo, label, enabled, position, weight, min_minor, max_minor, currencies, fields, secret_last4, sealed, fields_version, status,
  checked_at, check_error, check_tries, account, account_name, consecutive_failures, failing_since, breaker_until, version, created_at, created_by, updated_at,
  updated_by, removed_at`,
);

/** A comparison's columns of an account, and their source row. */
const comparedParts = (db: Db | Pipe): { columns: Fragment; join: Fragment } => ({
  columns: sql(db)`k.status as comparison_status, k.ran_at as compared_at, k.compared_until, coalesce(k.lines, 0) as compared_lines,
    coalesce(k.differences, 0) as compared_differences, k.error as comparison_error`,
  join: sql(db)`left join gateway_comparisons k on k.project_id = c.project_id and k.livemode = c.livemode and k.credential_id = c.id`,
});

/** Removed ones are found too, because their payments and refunds continue. */
export async function findCredentialRow(db: Db, tenant: Tenant, id: string): Promise<CredentialRow | null> {
  const [row] = await sql(db)<CredentialRow>`
    select ${credentialColumns.of("c")}, coalesce(c.breaker_until > app_now(), false) as is_paused,
      (select max(f.ends_at) from gateway_former_fields f where f.project_id = c.project_id and f.livemode = c.livemode
        and f.credential_id = c.id and f.ends_at > app_now()) as former_until, ${comparedParts(db).columns}
    from gateway_credentials c ${comparedParts(db).join}
    where c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode} and c.id = ${id}`;
  return row ?? null;
}

/**
 * All entries of one account with a provider in a project, which may have entered it more than once, beginning with this one; removed ones
 * too. An entry whose account isn't known at the provider is only itself.
 */
export async function listEntriesOfAccount(db: Db, tenant: Tenant, id: string): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select o.id from gateway_credentials c
    join gateway_credentials o on o.project_id = c.project_id and o.livemode = c.livemode and o.gateway = c.gateway
      and o.account = c.account and o.id <> c.id
    where c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode} and c.id = ${id}
    order by o.id`;
  return [id, ...rows.map((row) => row.id)];
}

/** What providers call the accounts of two entries, with the gateway; null if it isn't known. */
export async function listNamesOfAccounts(db: Db, tenant: Tenant, ids: readonly [string, string]): Promise<(string | null)[]> {
  const rows = await sql(db)<{ id: string; name: string | null }>`
    select id, gateway || ' ' || account as name from gateway_credentials
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${ids}::text[])`;
  return ids.map((id) => rows.find((row) => row.id === id)?.name ?? null);
}

/** Locks an account for a change; the returned row is read after the lock. */
export async function lockCredential(tx: Tx, tenant: Tenant, id: string): Promise<CredentialRow | null> {
  const held = await sql(tx)`
    select from gateway_credentials where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}
    for no key update`;
  return held.count === 0 ? null : findCredentialRow(tx, tenant, id);
}

/** The accounts of a project and environment, in the order of their payments. */
export function listCredentialRows<On extends Db | Pipe>(db: On, tenant: Tenant, gateway: string): Sent<On, CredentialRow[]> {
  return send(
    db,
    sql(db)<CredentialRow>`
    select ${credentialColumns.of("c")}, coalesce(c.breaker_until > app_now(), false) as is_paused,
      (select max(f.ends_at) from gateway_former_fields f where f.project_id = c.project_id and f.livemode = c.livemode
        and f.credential_id = c.id and f.ends_at > app_now()) as former_until, ${comparedParts(db).columns}
    from gateway_credentials c ${comparedParts(db).join}
    where c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode} and c.gateway = ${gateway} and c.removed_at is null
    order by c.position, c.id`,
    (rows) => rows,
  );
}

/** A gateway's accounts in a project and environment, counted. */
export interface AccountCount extends Tenant {
  gateway: string;
  accounts: number;
  /** How many of them can take payments. */
  usable: number;
  /** Whether they are all simulated. */
  demo: boolean;
}

/** The accounts of some projects and environments, counted by gateway. */
export async function listAccountCounts(db: Db, tenants: readonly Tenant[]): Promise<AccountCount[]> {
  return sql(db)<AccountCount>`
    -- all tenants: each key names its own project and environment
    select project_id, livemode, gateway, count(*)::int as accounts, bool_and(demo) as demo,
      count(*) filter (where enabled and status <> 'failed' and (not demo or only_demo))::int as usable
    from (select a.project_id, a.livemode, a.gateway, a.demo, a.enabled, a.status,
        bool_and(a.demo) over (partition by a.project_id, a.livemode, a.gateway) as only_demo
      from ${givenTenants(db, tenants)}
      join gateway_credentials a on a.project_id = key.project_id and a.livemode = key.livemode and a.removed_at is null) counted
    group by project_id, livemode, gateway`;
}

/**
 * Locks the project, so that two concurrent requests can't both create the last allowed account; returns the number of accounts and a
 * gateway's highest position.
 */
export async function lockAccountCount(tx: Tx, tenant: Tenant, gateway: string): Promise<{ count: number; position: number }> {
  await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
  const [row] = await sql(tx)<{ count: number; position: number }>`
    select count(*)::int as count, coalesce(max(position) filter (where gateway = ${gateway}), 0) as position from gateway_credentials
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and removed_at is null`;
  return row ?? { count: 0, position: 0 };
}

export async function insertCredential(tx: Tx, row: NewCredential, { checkInMs }: { checkInMs: number | null }): Promise<void> {
  const tag = sql(tx);
  await tag`
    insert into gateway_credentials (project_id, livemode, id, gateway, demo, label, enabled, position, weight, min_minor, max_minor,
      currencies, fields, secret_last4, sealed, status, checked_at, check_error, check_due_at, account, account_name, created_at,
      created_by, updated_at, updated_by)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.gateway}, ${row.demo}, ${row.label}, ${row.enabled}, ${row.position},
      ${row.weight}, ${row.min_minor}, ${row.max_minor}, ${row.currencies}, ${tag.json(row.fields)}, ${tag.json(row.secret_last4)},
      ${row.sealed}, ${row.status}, ${row.checked_at}, ${row.check_error === null ? null : tag.json(row.check_error)},
      app_now() + ${checkInMs} * interval '1 millisecond', ${row.account}, ${row.account_name}, ${row.created_at}, ${row.created_by},
      ${row.created_at}, ${row.created_by})`;
}

/** Stores a person's changes to an account and increments `version`. */
export async function updateCredential(tx: Tx, row: CredentialRow): Promise<void> {
  const tag = sql(tx);
  await tag`
    update gateway_credentials set label = ${row.label}, enabled = ${row.enabled}, position = ${row.position}, weight = ${row.weight},
      min_minor = ${row.min_minor}, max_minor = ${row.max_minor}, currencies = ${row.currencies}, fields = ${tag.json(row.fields)},
      secret_last4 = ${tag.json(row.secret_last4)}, sealed = ${row.sealed}, fields_version = ${row.fields_version},
      updated_by = ${row.updated_by}, updated_at = app_now(), version = version + 1
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}

export async function updateRemoved(tx: Tx, tenant: Tenant, { id, by }: { id: string; by: string }): Promise<void> {
  await sql(tx)`
    update gateway_credentials set removed_at = app_now(), enabled = false, check_due_at = null,
      updated_by = ${by}, updated_at = app_now(), version = version + 1
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
}

/** The result of a check. */
export interface CheckFound {
  status: CredentialStatus;
  checked_at: Date | null;
  check_error: CheckError | null;
  /** Null keeps the known value. */
  account: string | null;
  account_name: string | null;
}

/**
 * Writes the result of checking certain fields, unless they were replaced in the meantime. The next check is due in `next` milliseconds, at
 * its previous time, or not at all.
 */
export async function updateChecked(
  tx: Tx,
  key: Tenant & { id: string; fields_version: number },
  { found, next }: { found: CheckFound; next: number | "as_before" | null },
): Promise<void> {
  const tag = sql(tx);
  const asBefore = next === "as_before";
  const inMs = asBefore ? null : next;
  await tag`
    update gateway_credentials set status = ${found.status}, checked_at = coalesce(${found.checked_at}::timestamptz, checked_at),
      check_error = ${found.check_error === null ? null : tag.json(found.check_error)}, account = coalesce(${found.account}::text, account),
      account_name = coalesce(${found.account_name}::text, account_name),
      check_due_at = case when ${asBefore} then check_due_at else app_now() + ${inMs} * interval '1 millisecond' end,
      check_tries = case when ${asBefore} then check_tries else 0 end
    where project_id = ${key.project_id} and livemode = ${key.livemode} and id = ${key.id} and fields_version = ${key.fields_version}`;
}

/** The provider refused an account's credentials that were valid before: they are checked again right away. */
export async function updateUnchecked(tx: Tx, key: Tenant & { id: string; fields_version: number }): Promise<void> {
  await sql(tx)`
    update gateway_credentials set status = 'unchecked', check_due_at = app_now(), check_tries = 0
    where project_id = ${key.project_id} and livemode = ${key.livemode} and id = ${key.id} and fields_version = ${key.fields_version}
      and status = 'checked' and removed_at is null`;
}

/** Claims accounts whose check is due, and delays the next one by twice as long each time, so that none is lost if a process dies. */
export async function updateCheckDue(
  tx: Tx,
  given: { limit: number; firstMs: number; longestMs: number },
): Promise<(Tenant & { id: string })[]> {
  return sql(tx)<Tenant & { id: string }>`
    -- all tenants: one loop checks every tenant's accounts
    with due as (select project_id, livemode, id from gateway_credentials where check_due_at <= app_now()
      order by check_due_at limit ${given.limit} for update skip locked)
    update gateway_credentials c set check_tries = c.check_tries + 1,
      check_due_at = app_now() + least(${given.firstMs} * power(2, least(c.check_tries, 20)), ${given.longestMs}) * interval '1 millisecond'
    from due where c.project_id = due.project_id and c.livemode = due.livemode and c.id = due.id
    returning c.project_id, c.livemode, c.id`;
}
