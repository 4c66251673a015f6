import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface DeliveryState {
  event_id: string;
  endpoint_id: string;
  state: string;
  step: number;
  attempts: number;
  due_at: Date;
}

/** What a tenant's endpoints are owed, in the order of the events. */
export async function listDeliveryStates(db: Db, tenant: Tenant): Promise<DeliveryState[]> {
  return sql(db)<DeliveryState>`
    select event_id, endpoint_id, state, step, attempts, due_at from webhook_deliveries
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by sequence, endpoint_id`;
}

/** A tenant's endpoints and receivers of callbacks, deleted ones included. */
export async function listEndpointIds(db: Db, tenant: Tenant): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select id from webhook_endpoints where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by id`;
  return rows.map((row) => row.id);
}

/** Notices about webhooks; a tenant may have received others. */
export async function countNotices(db: Db): Promise<Record<string, number>> {
  const rows = await sql(db)<{
    kind: string;
    count: number;
  }>`select kind, count(*) as count from notices where kind like 'webhook.%' group by kind order by kind`;
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
}

/** Due deliveries of one endpoint, with their events, as a long outage leaves them. */
export async function insertBacklog(db: Db, tenant: Tenant, given: { endpoint_id: string; count: number; now: Date }): Promise<void> {
  await sql(db)`
    insert into events (project_id, livemode, id, event, object_id, body, sequence, created_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'evt_backlog' || lpad(n::text, 19, '0'), 'order.failed', null, '{}'::bytea, -n,
      ${given.now} from generate_series(1, ${given.count}::int) n`;
  await sql(db)`
    insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, due_at, created_at, updated_at)
    select ${tenant.project_id}, ${tenant.livemode}, ${given.endpoint_id}, 'evt_backlog' || lpad(n::text, 19, '0'), -n, 'due', ${given.now},
      ${given.now}, ${given.now}
    from generate_series(1, ${given.count}::int) n`;
}

/** Pending deliveries of some endpoints, and events without fan-out. Reads the indexes of pending rows, not all of them. */
/** Deliveries that are owed to these endpoints, and events without fan-out; with `withinSeconds` only those that are tried that soon. */
export async function countWaiting(db: Db, endpoints: string[], withinSeconds = 1e9): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: a test looks at all of its own
    select (select count(*) from events where sequence is null)
      + (select coalesce(sum(due.count + leased.count), 0)::bigint from webhook_endpoints e
        cross join lateral (select count(*) from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode
          and d.endpoint_id = e.id and d.state = 'due' and d.due_at <= app_now() + make_interval(secs => ${withinSeconds})) due
        cross join lateral (select count(*) from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode
          and d.endpoint_id = e.id and d.state = 'leased') leased
        where e.id = any (${endpoints}::text[])) as count`;
  return row?.count ?? 0;
}

/** Pending deliveries of some endpoints that are due by now or in progress. */
export async function countDue(db: Db, endpoints: string[], now: Date): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: a test looks at all of its own
    select coalesce(sum(due.count + leased.count), 0)::bigint as count from webhook_endpoints e
    cross join lateral (select count(*) from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode
      and d.endpoint_id = e.id and d.state = 'due' and d.due_at <= ${now}) due
    cross join lateral (select count(*) from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode
      and d.endpoint_id = e.id and d.state = 'leased') leased
    where e.id = any (${endpoints}::text[])`;
  return row?.count ?? 0;
}

/** Deliveries of some endpoints that wait for their first attempt, or for its outcome. */
export async function countNeverTried(db: Db, endpoints: string[]): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: a test looks at all of its own
    select count(*) as count from webhook_endpoints e
    join webhook_deliveries d on d.project_id = e.project_id and d.livemode = e.livemode and d.endpoint_id = e.id
      and d.state in ('due', 'leased') and d.step = 0
    where e.id = any (${endpoints}::text[])`;
  return row?.count ?? 0;
}

export interface CallbackState {
  event_id: string;
  url: string;
  state: string;
  attempts: number;
  response_status: number | null;
  error_code: string | null;
}

/** The state of some events' callbacks, each with its last attempt. */
export async function listCallbacks(db: Db, tenant: Tenant, eventIds: string[]): Promise<CallbackState[]> {
  return sql(db)<CallbackState>`
    select d.event_id, e.callback_url as url, d.state, d.attempts, a.response_status, a.error_code
    from webhook_deliveries d
    join events e on e.project_id = d.project_id and e.livemode = d.livemode and e.id = d.event_id
    left join webhook_attempts a on a.project_id = d.project_id and a.livemode = d.livemode and a.endpoint_id = d.endpoint_id
      and a.event_id = d.event_id and a.attempt = d.attempts
    where d.project_id = ${tenant.project_id} and d.livemode = ${tenant.livemode} and d.event_id = any (${eventIds}::text[]) and d.callback
    order by d.event_id desc`;
}

/** A failed attempt at an endpoint, as its newest one. */
export async function insertFailedAttempt(db: Db, tenant: Tenant, given: { endpoint_id: string; id: string; now: Date }): Promise<void> {
  await sql(db)`
    insert into webhook_attempts (project_id, livemode, id, endpoint_id, event_id, event, attempt, trigger, status, url, error_code,
      created_at, finished_at, sent_at)
    values (${tenant.project_id}, ${tenant.livemode}, ${given.id}, ${given.endpoint_id}, ${given.id}, 'order.paid', 1, 'automatic',
      'failed', 'https://shop.example.com/', 'http_error', ${given.now}, ${given.now}, ${given.now})`;
}
