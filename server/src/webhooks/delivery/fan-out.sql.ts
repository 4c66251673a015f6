import type { NumberedEvent } from "#events/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { firstNumberSince } from "../pull/since.sql.ts";
import { subscribed } from "../subscribed.sql.ts";

/**
 * One delivery per event and subscribed endpoint. Events that a disabled endpoint misses are recorded as skipped.
 *
 * Plan: for each event, the project's endpoints by `webhook_endpoints_registered`, at most sixteen, however many receivers of callbacks and
 * deleted endpoints there are.
 */
export async function insertDeliveries(tx: Tx, events: NumberedEvent[]): Promise<number> {
  const rows = await sql(tx)<{ event_id: string }>`
    -- all tenants: one loop serves every tenant's endpoints
    insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, due_at, created_at, updated_at)
    select e.project_id, e.livemode, w.id, e.id, e.sequence, case w.status when 'enabled' then 'due' else 'skipped' end,
      app_now(), app_now(), app_now()
    from unnest(${events.map((event) => event.project_id)}::text[], ${events.map((event) => String(event.livemode))}::text[]::boolean[],
      ${events.map((event) => event.id)}::text[], ${events.map((event) => event.event)}::text[],
      ${events.map((event) => event.sequence)}::bigint[]) as e (project_id, livemode, id, event, sequence)
    join webhook_endpoints w on w.project_id = e.project_id collate "C" and w.livemode = e.livemode and w.kind = 'endpoint'
      and w.removed_at is null and ${subscribed(sql(tx), sql(tx)`e.event`, sql(tx)`w.events`)}
    on conflict do nothing
    returning event_id`;
  return rows.length;
}

interface Replayed {
  since: Date;
  /** Events up to this time; null for all. */
  until: Date | null;
  /** Event names and families; null for everything the endpoint subscribes to. */
  events: string[] | null;
  /** Also resends what the endpoint has already received. */
  include_delivered: boolean;
  limit: number;
  apartMs: number;
}

/**
 * Makes all events since a given time that an endpoint subscribes to and has not received due again, oldest first, spread over time so that
 * new events are not held up. They follow those that an earlier replay has scheduled and that are still to be tried; until then, what
 * replays have delivered within a day isn't repeated, so that a long replay can be called portion by portion. What is still to be skipped
 * counts as skipped.
 *
 * Plan: the endpoint's events by `events_in_order` from the first number of the time on, and for each its delivery by
 * `webhook_deliveries_pkey`. The last one scheduled earlier once, by `webhook_deliveries_due` from the end.
 */
export async function insertReplayed(tx: Tx, endpoint: Tenant & { id: string }, given: Replayed): Promise<number> {
  const again = given.include_delivered ? ["failed", "skipped", "succeeded"] : ["failed", "skipped"];
  const skipping = sql(tx)`(select max(s.due_before) from webhook_skips s
    where s.project_id = ${endpoint.project_id} and s.livemode = ${endpoint.livemode} and s.endpoint_id = ${endpoint.id})`;
  const scheduled = sql(tx)`(select p.due_at from webhook_deliveries p
    where p.project_id = ${endpoint.project_id} and p.livemode = ${endpoint.livemode} and p.endpoint_id = ${endpoint.id}
      and p.state = 'due' and p.replay and p.step = 0
    order by p.due_at desc limit 1)`;
  const isRepeated = sql(tx)`(l.state = 'succeeded' and l.replay and l.updated_at > app_now() - interval '1 day'
    and ${scheduled} is not null)`;
  const rows = await sql(tx)<{ event_id: string }>`
    insert into webhook_deliveries as d (project_id, livemode, endpoint_id, event_id, sequence, state, replay,
      due_at, created_at, updated_at)
    select e.project_id, e.livemode, e.endpoint_id, e.id, e.sequence, 'due', true,
      greatest(app_now(), ${scheduled}) + row_number() over (order by e.sequence) * ${given.apartMs}::int * interval '1 millisecond',
      app_now(), app_now()
    from (select e.project_id, e.livemode, e.id, e.sequence, w.id as endpoint_id from events e
      join webhook_endpoints w on w.project_id = e.project_id and w.livemode = e.livemode and w.id = ${endpoint.id}
        and ${subscribed(sql(tx), sql(tx)`e.event`, sql(tx)`w.events`)}
      left join webhook_deliveries l on l.project_id = e.project_id and l.livemode = e.livemode and l.endpoint_id = w.id
        and l.event_id = e.id
      where e.project_id = ${endpoint.project_id} and e.livemode = ${endpoint.livemode} and e.sequence is not null and not e.test
        and e.sequence >= ${firstNumberSince(sql(tx), endpoint, sql(tx)`${given.since}::timestamptz`)}
        and e.created_at >= ${given.since} and (${given.until}::timestamptz is null or e.created_at <= ${given.until})
        and (${given.events}::text[] is null or ${subscribed(sql(tx), sql(tx)`e.event`, sql(tx)`${given.events ?? []}::text[]`)})
        and (l.state is null or (l.state = any (${again}::text[]) and not ${isRepeated})
          or (l.state = 'due' and l.updated_at <= ${skipping}))
      order by e.sequence limit ${given.limit}) e
    on conflict (project_id, livemode, endpoint_id, event_id) do update
      set state = 'due', step = 0, replay = true, due_at = excluded.due_at, updated_at = excluded.updated_at
      where d.state = any (${again}::text[]) or (d.state = 'due' and d.updated_at <= ${skipping})
    returning event_id`;
  return rows.length;
}

/** Skips the pending deliveries of disabled and deleted endpoints. */
export async function updateSkipped(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)<{ event_id: string }>`
    -- all tenants: one loop serves every tenant's endpoints
    with skipped as (update webhook_deliveries d set state = 'skipped', updated_at = app_now()
    from (select d.project_id, d.livemode, d.endpoint_id, d.event_id
      from webhook_endpoints e cross join lateral (
        select d.project_id, d.livemode, d.endpoint_id, d.event_id from webhook_deliveries d
        where d.project_id = e.project_id and d.livemode = e.livemode and d.endpoint_id = e.id and d.state = 'due'
        limit ${limit} for update skip locked) d
      where e.status = 'disabled' or e.removed_at is not null limit ${limit}) s
    where d.project_id = s.project_id and d.livemode = s.livemode and d.endpoint_id = s.endpoint_id and d.event_id = s.event_id
    returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.attempts),
    ended as (update webhook_attempts a set next_attempt_at = null from skipped s
      where a.project_id = s.project_id and a.livemode = s.livemode and a.endpoint_id = s.endpoint_id and a.event_id = s.event_id
        and a.attempt = s.attempts and a.next_attempt_at is not null)
    select event_id from skipped`;
  return rows.length;
}

/** Deletes deliveries that are past their retention. */
export async function deleteOldDeliveries(tx: Tx, retentionDays: number, limit: number): Promise<number> {
  const rows = await sql(tx)<{ event_id: string }>`
    -- all tenants: retention is the same for everybody
    delete from webhook_deliveries where (project_id, livemode, endpoint_id, event_id) in (
      select project_id, livemode, endpoint_id, event_id from webhook_deliveries
      where created_at < app_now() - ${retentionDays}::int * interval '1 day' and state in ('succeeded', 'failed', 'skipped')
      limit ${limit} for update skip locked)
    returning event_id`;
  return rows.length;
}

export async function deleteOldAttempts(tx: Tx, retentionDays: number, limit: number): Promise<number> {
  const rows = await sql(tx)<{ id: string }>`
    -- all tenants: retention is the same for everybody
    delete from webhook_attempts where (project_id, livemode, endpoint_id, id) in (
      select project_id, livemode, endpoint_id, id from webhook_attempts
      where created_at < app_now() - ${retentionDays}::int * interval '1 day' and status <> 'started' limit ${limit} for update skip locked)
    returning id`;
  return rows.length;
}
