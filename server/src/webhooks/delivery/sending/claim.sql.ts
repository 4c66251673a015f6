import { claimable, leased, type QueueTable, type Tenant, type Tx } from "#platform/index.ts";
import { known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import { type EndpointRow, endpointColumns, isSkipping, isUnwanted } from "../../endpoint/sql.ts";
import { type DeliveryState, deliveryStates } from "../../states.ts";
import { maxInFlight } from "./in-flight.ts";
import { hasRoom } from "./suspects.sql.ts";

export const deliveryQueue: QueueTable = {
  name: "webhook_deliveries",
  table: (tag) => tag`webhook_deliveries`,
  job: (tag) => tag`q.endpoint_id || '/' || q.event_id`,
};

/** What one attempt needs, as stored by its claim. */
export interface ClaimedRow extends Tenant {
  endpoint_id: string;
  event_id: string;
  attempt_id: string;
  attempt: number;
  step: number;
  lease: string;
  back_to: DeliveryState | null;
  url: string;
  body: Buffer;
}

/** An attempt whose request has started. */
export type SentRow = Tenant & Pick<ClaimedRow, "endpoint_id" | "event_id" | "attempt_id"> & { sent_at: Date };

/** An endpoint with due deliveries, and whether its last recorded success is old enough to be updated. */
export type DueEndpoint = EndpointRow & { is_stale: boolean };

interface Due {
  limit: number;
  /** After this long a success is recorded again. */
  staleAfterMs: number;
  /** The lease prefix of the calling process. */
  holder: string;
  /** Endpoints and projects to leave out. */
  full: string[];
}

/**
 * Endpoints with due deliveries, each locked by this transaction. Leaves out those that other processes have enough of. Projects take
 * turns.
 *
 * Plan: walks `webhook_deliveries_due` from endpoint to endpoint, so that one endpoint's backlog costs no more than a single delivery.
 * Leases are counted by `webhook_deliveries_leased`, separately for each endpoint: a join could scan them again for each pair of endpoints.
 */
export async function lockDueEndpoints(tx: Tx, { limit, staleAfterMs, holder, full }: Due): Promise<DueEndpoint[]> {
  return sql(tx)<DueEndpoint>`
    -- all tenants: one loop serves every tenant's endpoints
    with recursive waiting as (
      (select project_id, livemode, endpoint_id from webhook_deliveries where state = 'due'
        order by project_id, livemode, endpoint_id limit 1)
      union all
      select next.* from waiting w cross join lateral (
        select d.project_id, d.livemode, d.endpoint_id from webhook_deliveries d
        where d.state = 'due' and (d.project_id, d.livemode, d.endpoint_id) > (w.project_id, w.livemode, w.endpoint_id)
        order by d.project_id, d.livemode, d.endpoint_id limit 1) next),
    ready as materialized (
      select w.*, row_number() over (partition by w.project_id order by random()) as turn from waiting w
      where not exists (select from webhook_deliveries l
          where l.project_id = w.project_id and l.livemode = w.livemode and l.endpoint_id = w.endpoint_id and l.state = 'leased'
            and l.lease_until > app_now() and not starts_with(l.lease, ${holder}) offset ${maxInFlight - 1} limit 1)
        and exists (select from webhook_deliveries d
          where d.project_id = w.project_id and d.livemode = w.livemode and d.endpoint_id = w.endpoint_id and d.state = 'due'
            and d.due_at <= app_now() offset 0))
    select ${endpointColumns.of("e")},
      coalesce(e.last_success_at < app_now() - ${staleAfterMs} * interval '1 millisecond', true) as is_stale
    from webhook_endpoints e join ready w on e.project_id = w.project_id and e.livemode = w.livemode and e.id = w.endpoint_id
    where e.status = 'enabled' and e.removed_at is null and (e.breaker_until is null or e.breaker_until <= app_now())
      and e.id <> all (${full}::text[]) and e.project_id <> all (${full}::text[]) and not ${isSkipping(sql(tx))}
    order by w.turn, random() limit ${limit} for no key update of e skip locked`;
}

interface Wanted {
  /** A receiver of callbacks has no single URL: each of its deliveries has its own. */
  endpoints: (Tenant & { id: string; url: string | null; most: number })[];
  /** The lease prefix of this process. */
  holder: string;
  lease: string;
  durationMs: number;
  /** Ids for the attempts, at least as many as can be claimed. */
  attemptIds: string[];
  /** Only deliveries that are sent alone; otherwise only the others. */
  alone?: boolean;
}

/**
 * Leases due deliveries of locked endpoints and stores their attempts before anything is sent. A process that is the only one with leases
 * of an endpoint may have `most` and sends five at once; several processes have no more than five together. A separate statement, because
 * one that also locked the endpoints would count leases as of before the lock.
 *
 * Plan: for each endpoint of `wanted`, its leases by `webhook_deliveries_leased` and its due deliveries, oldest first, by
 * `webhook_deliveries_due`, or by `webhook_deliveries_suspect` those sent alone, no more rows than its limit allows. Lateral joins, because
 * a limit for each endpoint can't be said in one scan. The rows picked are then updated by `webhook_deliveries_pkey`, and their events read
 * by key in `taken`, which is materialized so that the attempts and the answer use the same rows.
 */
export async function updateClaimed(tx: Tx, wanted: Wanted): Promise<ClaimedRow[]> {
  const { endpoints, holder, lease, durationMs, attemptIds, alone = false } = wanted;
  return sql(tx)<ClaimedRow>`
    -- all tenants: one loop serves every tenant's endpoints
    with wanted as (
      select project_id collate "C" as project_id, livemode, id collate "C" as id, url, most
      from unnest(${endpoints.map((one) => one.project_id)}::text[], ${endpoints.map((one) => String(one.livemode))}::text[]::boolean[],
        ${endpoints.map((one) => one.id)}::text[], ${endpoints.map((one) => one.url)}::text[], ${endpoints.map((one) => one.most)}::int[])
        as given (project_id, livemode, id, url, most)),
    picked as (
      select due.*, w.url, (${attemptIds}::text[])[row_number() over ()] as attempt_id
      from wanted w cross join lateral (
        select count(*) as leases, count(*) filter (where starts_with(l.lease, ${holder})) as own from webhook_deliveries l
        where l.project_id = w.project_id and l.livemode = w.livemode and l.endpoint_id = w.id and l.state = 'leased'
          and l.lease_until > app_now()) held
      cross join lateral (
        select q.project_id, q.livemode, q.endpoint_id, q.event_id from webhook_deliveries q
        where q.project_id = w.project_id and q.livemode = w.livemode and q.endpoint_id = w.id and ${claimable(sql(tx), alone)}
        order by q.due_at
        limit case when ${alone}::boolean then ${hasRoom(sql(tx))}::int
          else greatest(0, case when held.leases = held.own then w.most else least(w.most, ${maxInFlight}::int) end - held.leases) end
        for update skip locked) due),
    leased as (
      update webhook_deliveries d set ${leased(sql(tx), { lease, durationMs })}, back_to = null,
        attempts = d.attempts + 1, updated_at = app_now()
      from picked p
      where d.project_id = p.project_id and d.livemode = p.livemode and d.endpoint_id = p.endpoint_id and d.event_id = p.event_id
      returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.attempts, d.step, d.replay, p.url as own_url, p.attempt_id),
    taken as materialized (
      select n.*, coalesce(n.own_url, e.callback_url) as url, e.event, e.body from leased n
        join events e on e.project_id = n.project_id and e.livemode = n.livemode and e.id = n.event_id),
    begun as (
      insert into webhook_attempts (project_id, livemode, id, endpoint_id, event_id, event, attempt, trigger, url, created_at)
      select project_id, livemode, attempt_id, endpoint_id, event_id, event, attempts,
        case when replay then 'replay' else 'automatic' end, url, app_now() from taken)
    select project_id, livemode, endpoint_id, event_id, attempt_id, attempts as attempt, step, ${lease}::text as lease,
      null::text as back_to, url, body from taken`;
}

type Held = Pick<ClaimedRow, "project_id" | "livemode" | "endpoint_id">;

/**
 * Of the endpoints with deliveries waiting in memory, those that changed, were disabled or deleted, or whose breaker opened since the
 * claim.
 */
export function listChanged<On extends Tx | Pipe>(tx: On, held: (Held & { version: number })[]): Sent<On, string[]> {
  if (held.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<{ id: string }>`
    -- all tenants: one loop serves every tenant's endpoints
    select e.id from webhook_endpoints e
    join unnest(${held.map((one) => one.project_id)}::text[], ${held.map((one) => String(one.livemode))}::text[]::boolean[],
      ${held.map((one) => one.endpoint_id)}::text[], ${held.map((one) => one.version)}::int[]) as h (project_id, livemode, id, version)
      on e.project_id = h.project_id collate "C" and e.livemode = h.livemode and e.id = h.id collate "C"
    where e.version <> h.version or e.status <> 'enabled' or e.removed_at is not null or e.breaker_until > app_now()`,
    (rows) => rows.map((row) => row.id),
  );
}

/**
 * Records which attempts are in progress, so that they are listed while they run. Completed ones don't need it: their result includes when
 * they were sent.
 */
export function updateSent<On extends Tx | Pipe>(tx: On, sent: SentRow[]): Sent<On, void> {
  if (sent.length === 0) return known(tx, undefined);
  return send(
    tx,
    sql(tx)`
    -- all tenants: one loop serves every tenant's endpoints
    update webhook_attempts a set sent_at = g.sent_at
    from jsonb_to_recordset(${sql(tx).json(sent)}) as g (project_id text collate "C", livemode boolean, endpoint_id text collate "C",
      event_id text collate "C", attempt_id text collate "C", sent_at timestamptz)
    where a.project_id = g.project_id and a.livemode = g.livemode and a.endpoint_id = g.endpoint_id and a.event_id = g.event_id
      and a.id = g.attempt_id and a.sent_at is null`,
    () => {},
  );
}

/** The result of an attempt, as stored. */
export interface Ending extends Tenant {
  endpoint_id: string;
  event_id: string;
  attempt_id: string;
  lease: string;
  sent_at: Date;
  state: DeliveryState;
  step: number;
  /** The delay until the next attempt; null leaves the schedule unchanged. */
  wait_ms: number | null;
  status: "succeeded" | "failed";
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean | null;
  error_code: string | null;
  duration_ms: number;
}

/**
 * Completes attempts and releases their leases. A worker whose lease has expired changes nothing, because another one has the delivery by
 * then. Returns how many were completed.
 *
 * Plan: deliveries by `webhook_deliveries_pkey`. Names both the attempt's id and its event, because `webhook_attempts_pkey` and
 * `webhook_attempts_numbered` share a prefix: without statistics the planner may choose either and read all of the endpoint for each.
 */
export function updateEnded<On extends Tx | Pipe>(tx: On, endings: Ending[]): Sent<On, number> {
  if (endings.length === 0) return known(tx, 0);
  for (const { state } of endings) deliveryStates.check(["leased"], state);
  return send(
    tx,
    sql(tx)`
    -- all tenants: one loop serves every tenant's endpoints
    with given as (
      select * from jsonb_to_recordset(${sql(tx).json(endings)}) as given (project_id text collate "C", livemode boolean,
        endpoint_id text collate "C", event_id text collate "C", attempt_id text collate "C", lease text, sent_at timestamptz, state text,
        step int, wait_ms int, status text, response_status int, response_headers jsonb, response_body text, response_truncated boolean,
        error_code text, duration_ms int)),
    -- What is to be tried again at an endpoint that no longer wants it is skipped, as if it had been waiting when that changed.
    judged as (
      select g.*, case when g.state = 'due' and ${isUnwanted(sql(tx), sql(tx)`g.event_id`)} then 'skipped' else g.state end as next_state
      from given g join webhook_endpoints e on e.project_id = g.project_id and e.livemode = g.livemode and e.id = g.endpoint_id),
    released as (
      update webhook_deliveries d set state = g.next_state, step = g.step,
        due_at = coalesce(app_now() + g.wait_ms * interval '1 millisecond', d.due_at), lease = null, lease_until = null, back_to = null,
        deaths = case when g.next_state = 'set_aside' then d.deaths else 0 end, updated_at = app_now()
      from judged g where d.project_id = g.project_id and d.livemode = g.livemode and d.endpoint_id = g.endpoint_id
        and d.event_id = g.event_id and d.lease = g.lease)
    update webhook_attempts a set status = g.status, response_status = g.response_status, response_headers = g.response_headers,
      response_body = g.response_body, response_truncated = g.response_truncated, error_code = g.error_code, duration_ms = g.duration_ms,
      finished_at = app_now(), sent_at = g.sent_at,
      next_attempt_at = case when g.next_state = 'due' then app_now() + g.wait_ms * interval '1 millisecond' end
    from judged g where a.project_id = g.project_id and a.livemode = g.livemode and a.endpoint_id = g.endpoint_id
      and a.event_id = g.event_id and a.id = g.attempt_id and a.status = 'started'`,
    (rows) => rows.count,
  );
}

/** Records the attempts of deliveries whose worker was lost, with the time of the next attempt. */
export async function updateLostAttempts(tx: Tx, lost: (LostDelivery & { wait_ms: number | null })[]): Promise<void> {
  if (lost.length === 0) return;
  const given = lost.map(({ project_id, livemode, endpoint_id, event_id, attempts, wait_ms }) => ({
    project_id,
    livemode,
    endpoint_id,
    event_id,
    attempts,
    wait_ms,
  }));
  await sql(tx)`
    -- all tenants: one loop serves every tenant's endpoints
    update webhook_attempts a set status = 'failed', error_code = 'worker_lost', finished_at = app_now(),
      next_attempt_at = app_now() + g.wait_ms * interval '1 millisecond'
    from jsonb_to_recordset(${sql(tx).json(given)}) as g (project_id text collate "C", livemode boolean, endpoint_id text collate "C",
      event_id text collate "C", attempts int, wait_ms int)
    where a.project_id = g.project_id and a.livemode = g.livemode and a.endpoint_id = g.endpoint_id and a.event_id = g.event_id
      and a.attempt = g.attempts and a.status = 'started'`;
}

export interface LostDelivery extends Tenant {
  endpoint_id: string;
  event_id: string;
  attempts: number;
  back_to: DeliveryState | null;
}
