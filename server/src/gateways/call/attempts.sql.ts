import { type BreakerKey, type BreakerTable, type Tenant, type Tx, updateUnhurriedPart } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { GatewayErrorKind } from "../gateway-error.ts";
import type { GatewayVerb } from "../registry.ts";

/** One request of an attempt, without its query, headers and body. */
export interface AttemptExchange {
  method: string;
  /** Host and path. */
  url: string;
  status: number | null;
  /** Why there is no complete response. */
  error_code: string | null;
  duration_ms: number;
  /** By how many seconds the provider's clock was ahead of ours; null without a time in the response, absent in earlier rows. */
  clock_ahead_seconds?: number | null;
}

/** One attempt of a call to a provider, without its secrets. */
export interface AttemptRow extends Tenant {
  credential_id: string;
  id: string;
  gateway: string;
  verb: GatewayVerb;
  /** Our reference: of a payment or a refund. */
  reference: string | null;
  /** From 1; higher ones repeat the same call. */
  try: number;
  outcome: "succeeded" | GatewayErrorKind;
  code: string | null;
  message: string | null;
  provider_request_id: string | null;
  duration_ms: number;
  exchanges: AttemptExchange[];
  /** The API request that caused it. */
  request_id: string | null;
  created_at: Date;
}

const attemptColumns: ColumnsOf<AttemptRow> = columns(
  "gateway_attempts",
  `
  project_id, livemode, credential_id, id, gateway, verb, reference, try, outcome, code, message, provider_request_id, duration_ms,
    exchanges, request_id, created_at`,
);

/** Outcomes that mean that the provider is unreachable or overloaded. */
export const troubles: readonly AttemptRow["outcome"][] = ["unavailable", "rate_limited", "unknown_outcome"];

/**
 * Calls that strangers trigger, or that use another host than payments: reading a callback, identifying a buyer. Their results say nothing
 * about payments, so they don't affect the breaker.
 */
export const nonPaymentVerbs: readonly GatewayVerb[] = ["verify", "identify"];

/**
 * Calls that don't affect the breaker: a list that is too long, unreadable or not ready says nothing about payments, and is requested again
 * and again.
 */
export const breakerlessVerbs: readonly GatewayVerb[] = [...nonPaymentVerbs, "list_settled"];

/** The rows with each account's breaker. */
export const accountBreakers: BreakerTable = { table: (tag) => tag`gateway_credentials` };

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  const tag = sql(tx);
  await tag`
    insert into gateway_attempts (project_id, livemode, credential_id, id, gateway, verb, reference, try, outcome, code, message,
      provider_request_id, duration_ms, exchanges, request_id, created_at)
    values (${row.project_id}, ${row.livemode}, ${row.credential_id}, ${row.id}, ${row.gateway}, ${row.verb}, ${row.reference}, ${row.try},
      ${row.outcome}, ${row.code}, ${row.message}, ${row.provider_request_id}, ${row.duration_ms}, ${tag.json(row.exchanges)},
      ${row.request_id}, ${row.created_at})`;
}

/**
 * Like `insertAttempt` and `updateAnswered`, in one statement outside a transaction and without waiting for the disk: if a database crash
 * loses the record, only the attempt log is affected, and the breaker gets the next success.
 */
export async function insertAnswered(db: Db, row: AttemptRow): Promise<void> {
  const tag = sql(db);
  await tag`
    with ${updateUnhurriedPart(db)},
    answered as (${updateOfAnswered(db, { ...row, id: row.credential_id })})
    insert into gateway_attempts (project_id, livemode, credential_id, id, gateway, verb, reference, try, outcome, duration_ms, exchanges,
      request_id, created_at)
    select ${row.project_id}, ${row.livemode}, ${row.credential_id}, ${row.id}, ${row.gateway}, ${row.verb}, ${row.reference},
      ${row.try}::integer, ${row.outcome}, ${row.duration_ms}::integer, ${tag.json(row.exchanges)}, ${row.request_id}, ${row.created_at}
    from unhurried where unhurried.setting is not null`;
}

/** The provider responded. Only writes if the state changes, so that a busy account's row isn't rewritten with each call. */
export async function updateAnswered(tx: Tx, key: BreakerKey): Promise<void> {
  await updateOfAnswered(tx, key);
}

function updateOfAnswered(db: Db, key: BreakerKey): PromiseLike<unknown> & Fragment {
  return sql(db)`
    update gateway_credentials set consecutive_failures = 0, failing_since = null, breaker_until = null, breaker_trips = 0
    where project_id = ${key.project_id} and livemode = ${key.livemode} and id = ${key.id}
      and (failing_since is not null or breaker_until is not null)`;
}

/** The results of recent attempts that affect the breaker. */
export async function countRecent(
  tx: Tx,
  key: BreakerKey,
  given: { withinMs: number; limit: number },
): Promise<{ attempts: number; failures: number }> {
  const [row] = await sql(tx)<{ attempts: number; failures: number }>`
    select count(*)::int as attempts, count(*) filter (where outcome = any (${troubles}::text[]))::int as failures from (
      select outcome from gateway_attempts
      where project_id = ${key.project_id} and livemode = ${key.livemode} and credential_id = ${key.id}
        and created_at > app_now() - ${given.withinMs} * interval '1 millisecond' and verb <> all (${breakerlessVerbs}::text[])
      order by id desc limit ${given.limit}) recent`;
  return row ?? { attempts: 0, failures: 0 };
}

export interface AttemptFilters {
  credential_id: string;
  outcome: readonly string[] | null;
  verb: readonly string[] | null;
  reference: readonly string[] | null;
}

export function listAttemptRows(
  db: Db,
  tenant: Tenant,
  given: AttemptFilters & { cut: PageCut | null },
): PromiseLike<Rows<AttemptRow>> & Fragment {
  return sql(db)<AttemptRow>`
    select ${attemptColumns} from gateway_attempts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${given.credential_id}
      and (${given.outcome}::text[] is null or outcome = any (${given.outcome}::text[]))
      and (${given.verb}::text[] is null or verb = any (${given.verb}::text[]))
      and (${given.reference}::text[] is null or reference = any (${given.reference}::text[]))
      ${listEnd(db, sql(db)`id`, given.cut)}`;
}

/** The columns of an attempt that an account's setup is assessed from. */
export type RecentAttempt = Pick<AttemptRow, "verb" | "outcome" | "message" | "exchanges" | "created_at">;

export async function listRecentAttempts(
  db: Db,
  tenant: Tenant,
  given: { credential_id: string; limit: number },
): Promise<RecentAttempt[]> {
  return sql(db)<RecentAttempt>`
    select verb, outcome, message, exchanges, created_at from gateway_attempts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${given.credential_id}
    order by id desc limit ${given.limit}`;
}

/** When the provider last returned a success on each account; accounts without one are omitted. */
export async function listLastSuccesses(db: Db, tenant: Tenant, ids: readonly string[]): Promise<{ id: string; at: Date }[]> {
  return sql(db)<{ id: string; at: Date }>`
    select given.id, newest.created_at as at from unnest(${ids}::text[]) given (id)
    cross join lateral (
      select a.created_at from gateway_attempts a
      where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.credential_id = given.id
        and a.outcome = 'succeeded' order by a.id desc limit 1) newest`;
}

export async function findAttemptRow(db: Db, tenant: Tenant, key: { credential_id: string; id: string }): Promise<{ id: string } | null> {
  const [row] = await sql(db)<{ id: string }>`
    select id from gateway_attempts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${key.credential_id} and id = ${key.id}`;
  return row ?? null;
}

/** Removes attempts older than a number of days; returns how many. */
export async function deleteOldAttempts(tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: old attempts are forgotten, whoever's they were
    delete from gateway_attempts where ctid in (
      select ctid from gateway_attempts where created_at < app_now() - ${days} * interval '1 day' limit ${limit} for update skip locked)`;
  return rows.count;
}
