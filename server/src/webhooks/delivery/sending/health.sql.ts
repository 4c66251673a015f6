import type { BreakerTable, Tenant, Tx } from "#platform/index.ts";
import { type Db, type Fragment, type Sql, sql } from "#platform/sql.ts";

type Key = Tenant & { id: string };

/** The state of each endpoint's circuit breaker. */
export const endpointBreakers: BreakerTable = { table: (tag) => tag`webhook_endpoints` };

/**
 * The versions of endpoints, each locked by this transaction.
 *
 * Plan: by `webhook_endpoints_pkey`, in order of the keys, so that two transactions never wait for each other.
 */
export async function lockVersions(tx: Tx, keys: Key[]): Promise<(Key & { version: number })[]> {
  return sql(tx)<Key & { version: number }>`
    -- all tenants: one loop serves every tenant's endpoints
    select e.project_id, e.livemode, e.id, e.version from webhook_endpoints e
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as k (project_id, livemode, id)
      on e.project_id = k.project_id collate "C" and e.livemode = k.livemode and e.id = k.id collate "C"
    order by e.project_id, e.livemode, e.id for no key update of e`;
}

/** Writes only when the health changes, so that a busy endpoint's row is not rewritten at each delivery. */
export async function updateSucceeding(tx: Tx, keys: Key[], given: { staleAfterMs: number }): Promise<void> {
  if (keys.length === 0) return;
  await sql(tx)`
    -- all tenants: one loop serves every tenant's endpoints
    update webhook_endpoints e set consecutive_failures = 0, failing_since = null, warnings = 0, breaker_until = null, breaker_trips = 0,
      last_success_at = app_now()
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as k (project_id, livemode, id)
    where e.project_id = k.project_id collate "C" and e.livemode = k.livemode and e.id = k.id collate "C"
      and (e.failing_since is not null or e.breaker_until is not null or e.last_success_at is null
        or e.last_success_at < app_now() - ${given.staleAfterMs} * interval '1 millisecond')`;
}

/** The results of the most recent attempts. Attempts of a lost worker say nothing about the endpoint. */
export async function countRecent(
  tx: Tx,
  key: Key,
  given: { withinMs: number; limit: number },
): Promise<{ attempts: number; failures: number }> {
  const [row] = await sql(tx)<{ attempts: number; failures: number }>`
    select count(*) as attempts, count(*) filter (where status = 'failed') as failures from (
      select status from webhook_attempts
      where project_id = ${key.project_id} and livemode = ${key.livemode} and endpoint_id = ${key.id}
        and created_at > app_now() - ${given.withinMs} * interval '1 millisecond' and status <> 'started'
        and error_code is distinct from 'worker_lost'
      order by id desc limit ${given.limit}) recent`;
  return row ?? { attempts: 0, failures: 0 };
}

export interface FailingEndpoint extends Key {
  url: string;
  failing_since: Date;
  /** Whole hours since then. */
  failing_hours: number;
  warnings: number;
  merchant_id: string;
}

/** How long endpoints must have been failing. */
interface LongFailing {
  /** One entry per warning; the last is `disableAfterHours`. */
  afterHours: readonly number[];
  disableAfterHours: number;
  /** By then, something must have been tried within so many hours: while Tillpost itself is down, no endpoint fails. */
  triedWithinHours: number;
}

/** Enabled endpoints that have been failing long enough for their next warning, or to be disabled, longest first. */
export async function listLongFailing(db: Db, given: LongFailing & { limit: number }): Promise<Key[]> {
  return sql(db)<Key>`
    -- all tenants: warnings go out for every tenant's endpoints
    select e.project_id, e.livemode, e.id ${longFailing(sql(db), given)}
    order by e.failing_since limit ${given.limit}`;
}

/** One of them with its merchant, locked; null if it no longer is one, or another transaction has it. */
export async function lockLongFailing(tx: Tx, key: Key, given: LongFailing): Promise<FailingEndpoint | null> {
  const [row] = await sql(tx)<FailingEndpoint>`
    select e.project_id, e.livemode, e.id, e.url, e.failing_since, e.warnings, p.merchant_id,
      floor(extract(epoch from app_now() - e.failing_since) / 3600)::int as failing_hours
    ${longFailing(sql(tx), given)}
      and e.project_id = ${key.project_id} and e.livemode = ${key.livemode} and e.id = ${key.id}
    for no key update of e skip locked`;
  return row ?? null;
}

/** Only reads the newest failed attempt of endpoints that could be disabled, from the end of `webhook_attempts_pkey`. */
function longFailing(tag: Sql, { afterHours, disableAfterHours, triedWithinHours }: LongFailing): Fragment {
  return tag`
    from webhook_endpoints e join projects p on p.id = e.project_id
      join unnest(${afterHours}::int[]) with ordinality as due (hours, place) on due.place = e.warnings + 1
    where e.failing_since <= app_now() - due.hours * interval '1 hour' and e.status = 'enabled' and e.removed_at is null
      and e.kind = 'endpoint' and (e.failing_since > app_now() - ${disableAfterHours}::int * interval '1 hour' or not exists (
        select from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode and d.endpoint_id = e.id
          and d.state in ('due', 'leased')) or (
        select a.created_at > app_now() - ${triedWithinHours}::int * interval '1 hour' from webhook_attempts a
        where a.project_id = e.project_id and a.livemode = e.livemode and a.endpoint_id = e.id and a.status = 'failed'
          and a.error_code is distinct from 'worker_lost'
        order by a.id desc limit 1))`;
}

export async function updateWarned(tx: Tx, key: Key, warnings: number): Promise<void> {
  await sql(tx)`
    update webhook_endpoints set warnings = ${warnings} where project_id = ${key.project_id} and livemode = ${key.livemode}
      and id = ${key.id}`;
}
