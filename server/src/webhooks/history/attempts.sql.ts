import { leased, type PageQuery, type Tenant, type Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { ClaimedRow } from "../delivery/sending/claim.sql.ts";
import { subscribed } from "../subscribed.sql.ts";

export interface AttemptRow extends Tenant {
  id: string;
  endpoint_id: string;
  event_id: string;
  event: string;
  attempt: number;
  trigger: "automatic" | "manual" | "test" | "replay";
  status: "started" | "succeeded" | "failed";
  url: string;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean | null;
  error_code: string | null;
  duration_ms: number | null;
  next_attempt_at: Date | null;
  /** When it was sent. */
  created_at: Date;
  /** The event's body, as sent. */
  body: Buffer;
}

export interface AttemptFilters {
  endpoint_id: string;
  status?: string[] | null;
  event_id?: string[] | null;
  /** Event names and families, as in endpoint subscriptions. */
  event?: string[] | null;
  trigger?: string[] | null;
  /** When they were sent. */
  created?: { gte: Date | null; gt: Date | null; lte: Date | null; lt: Date | null };
}

export interface AttemptQuery extends AttemptFilters, PageQuery {}

const attemptColumns: ColumnsOf<Omit<AttemptRow, "created_at" | "body">> = columns(
  "webhook_attempts",
  `
  project_id, livemode, id, endpoint_id, event_id, event, attempt, trigger, status, url, response_status, response_headers, response_body,
  response_truncated, error_code, duration_ms, next_attempt_at, finished_at, sent_at`,
);

/** Attempts that are only claimed don't count yet: listed ones were sent, or may have been by a worker that crashed. */
export function listAttemptRows(
  db: Db,
  tenant: Tenant,
  given: AttemptFilters & { cut: PageCut | null },
): PromiseLike<Rows<AttemptRow>> & Fragment {
  const { status = null, event_id = null, event = null, trigger = null, created = { gte: null, gt: null, lte: null, lt: null } } = given;
  return sql(db)<AttemptRow>`
    select ${attemptColumns.of("a")}, coalesce(a.sent_at, a.created_at) as created_at, e.body
    from webhook_attempts a join events e on e.project_id = a.project_id and e.livemode = a.livemode and e.id = a.event_id
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.endpoint_id = ${given.endpoint_id}
      and (a.sent_at is not null or a.status <> 'started')
      and (${event}::text[] is null or ${subscribed(sql(db), sql(db)`a.event`, sql(db)`${event ?? []}::text[]`)})
      and (${trigger}::text[] is null or a.trigger = any (${trigger}::text[]))
      and (${created.gte}::timestamptz is null or coalesce(a.sent_at, a.created_at) >= ${created.gte})
      and (${created.gt}::timestamptz is null or coalesce(a.sent_at, a.created_at) > ${created.gt})
      and (${created.lte}::timestamptz is null or coalesce(a.sent_at, a.created_at) <= ${created.lte})
      and (${created.lt}::timestamptz is null or coalesce(a.sent_at, a.created_at) < ${created.lt})
      and (${status}::text[] is null or a.status = any (${status}::text[]))
      and (${event_id}::text[] is null or a.event_id = any (${event_id}::text[]))
      ${listEnd(db, sql(db)`a.id`, given.cut)}`;
}

export async function findAttemptRow(db: Db, tenant: Tenant, key: { endpoint_id: string; id: string }): Promise<AttemptRow | null> {
  const [row] = await sql(db)<AttemptRow>`
    select ${attemptColumns.of("a")}, coalesce(a.sent_at, a.created_at) as created_at, e.body
    from webhook_attempts a join events e on e.project_id = a.project_id and e.livemode = a.livemode and e.id = a.event_id
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.endpoint_id = ${key.endpoint_id}
      and a.id = ${key.id} and (a.sent_at is not null or a.status <> 'started')`;
  return row ?? null;
}

export interface ByHand {
  lease: string;
  durationMs: number;
}

/** A separate delivery for an event that goes to one endpoint only; it has no schedule. */
export async function insertAsideDelivery(
  tx: Tx,
  key: Tenant & { endpoint_id: string; event_id: string; sequence: number },
  claim: ByHand,
): Promise<void> {
  await sql(tx)`
    insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, attempts, due_at, lease, lease_until,
      back_to, created_at, updated_at)
    values (${key.project_id}, ${key.livemode}, ${key.endpoint_id}, ${key.event_id}, ${key.sequence}, 'leased', 1, app_now(),
      ${claim.lease}, app_now() + ${claim.durationMs} * interval '1 millisecond', 'failed', app_now(), app_now())`;
}

/** Leases a delivery manually, in any state; null if another process has it. It returns to its state if the attempt fails. */
export async function updateClaimedByHand(
  tx: Tx,
  key: Tenant & { endpoint_id: string; event_id: string },
  claim: ByHand,
): Promise<Pick<ClaimedRow, "attempt" | "step" | "back_to" | "body"> | null> {
  const [row] = await sql(tx)<Pick<ClaimedRow, "attempt" | "step" | "back_to" | "body">>`
    with held as (select state from webhook_deliveries
      where project_id = ${key.project_id} and livemode = ${key.livemode} and endpoint_id = ${key.endpoint_id}
        and event_id = ${key.event_id} and state <> 'leased' for update)
    update webhook_deliveries d set ${leased(sql(tx), claim)}, back_to = held.state, attempts = d.attempts + 1, updated_at = app_now()
    from held, events e
    where d.project_id = ${key.project_id} and d.livemode = ${key.livemode} and d.endpoint_id = ${key.endpoint_id}
      and d.event_id = ${key.event_id} and d.state <> 'leased'
      and e.project_id = d.project_id and e.livemode = d.livemode and e.id = d.event_id
    returning d.attempts as attempt, d.step, d.back_to, e.body`;
  return row ?? null;
}

/**
 * Creates the delivery of an event again after its retention, leased manually and failed if the attempt fails; null if it exists. Its
 * attempts are numbered on.
 */
export async function insertClaimedByHand(
  tx: Tx,
  key: Tenant & { endpoint_id: string; event_id: string },
  claim: ByHand,
): Promise<Pick<ClaimedRow, "attempt" | "step" | "back_to" | "body"> | null> {
  const [row] = await sql(tx)<Pick<ClaimedRow, "attempt" | "step" | "back_to" | "body">>`
    with event as (
      select e.sequence, e.body from events e where e.project_id = ${key.project_id} and e.livemode = ${key.livemode}
        and e.id = ${key.event_id} and e.sequence is not null),
    made as (
      insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, attempts, due_at, lease, lease_until,
        back_to, created_at, updated_at)
      select ${key.project_id}, ${key.livemode}, ${key.endpoint_id}, ${key.event_id}, e.sequence, 'leased',
        (select coalesce(max(a.attempt), 0) + 1 from webhook_attempts a where a.project_id = ${key.project_id}
          and a.livemode = ${key.livemode} and a.endpoint_id = ${key.endpoint_id} and a.event_id = ${key.event_id}),
        app_now(), ${claim.lease}, app_now() + ${claim.durationMs} * interval '1 millisecond', 'failed', app_now(), app_now()
      from event e
      on conflict do nothing returning attempts as attempt, step, back_to)
    select m.*, e.body from made m cross join event e`;
  return row ?? null;
}

/** How many deliveries of an endpoint are leased: being sent, or waiting in memory for their turn. `manual`: those sent manually. */
export async function countLeases(tx: Tx, endpoint: Tenant & { id: string }): Promise<{ all: number; manual: number }> {
  const [row] = await sql(tx)<{ all: number; manual: number }>`
    select count(*) as "all", count(*) filter (where back_to is not null) as manual from webhook_deliveries
    where project_id = ${endpoint.project_id} and livemode = ${endpoint.livemode} and endpoint_id = ${endpoint.id} and state = 'leased'
      and lease_until > app_now()`;
  return row ?? { all: 0, manual: 0 };
}

export async function insertAttempt(
  tx: Tx,
  row: Pick<
    AttemptRow,
    "project_id" | "livemode" | "id" | "endpoint_id" | "event_id" | "event" | "attempt" | "trigger" | "url" | "created_at"
  >,
): Promise<void> {
  await sql(tx)`
    insert into webhook_attempts (project_id, livemode, id, endpoint_id, event_id, event, attempt, trigger, url, created_at, sent_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.endpoint_id}, ${row.event_id}, ${row.event}, ${row.attempt},
      ${row.trigger}, ${row.url}, ${row.created_at}, ${row.created_at})`;
}
