import { amongWanted, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { subscribed } from "../subscribed.sql.ts";

type Key = Tenant & { id: string };

/** Which pending deliveries of an endpoint are skipped. */
interface Skipped {
  /** Event names and families that aren't; null: all are. */
  kept_events: string[] | null;
  /** Only those that became due by then; null: all. */
  due_before: Date | null;
  limit: number;
}

/** What one change of an endpoint has left to skip. */
export interface SkipRow extends Tenant {
  endpoint_id: string;
  id: number;
  due_before: Date;
  kept_events: string[] | null;
}

/** Skips pending deliveries of an endpoint. Their last attempts no longer announce a next one. Returns how many were skipped. */
export async function updateSkippedOf(tx: Tx, endpoint: Key, { kept_events, due_before, limit }: Skipped): Promise<number> {
  const tag = sql(tx);
  const isOther = tag`exists (select from events e where e.project_id = d.project_id and e.livemode = d.livemode and e.id = d.event_id
    and not ${subscribed(tag, tag`e.event`, tag`${kept_events ?? []}::text[]`)})`;
  const rows = await tag<{ event_id: string }>`
    with chosen as (
      select d.project_id, d.livemode, d.endpoint_id, d.event_id from webhook_deliveries d
      where d.project_id = ${endpoint.project_id} and d.livemode = ${endpoint.livemode} and d.endpoint_id = ${endpoint.id}
        and d.state = 'due' and (${due_before}::timestamptz is null or d.updated_at <= ${due_before})
        ${kept_events === null ? tag`` : tag`and ${isOther}`}
      limit ${limit} for update of d skip locked),
    skipped as (
      update webhook_deliveries d set state = 'skipped', updated_at = app_now() from chosen c
      where d.project_id = c.project_id and d.livemode = c.livemode and d.endpoint_id = c.endpoint_id and d.event_id = c.event_id
      returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.attempts),
    ended as (
      update webhook_attempts a set next_attempt_at = null from skipped s
      where a.project_id = s.project_id and a.livemode = s.livemode and a.endpoint_id = s.endpoint_id and a.event_id = s.event_id
        and a.attempt = s.attempts and a.next_attempt_at is not null)
    select event_id from skipped`;
  return rows.length;
}

export async function insertSkip(tx: Tx, endpoint: Key, kept_events: string[] | null): Promise<void> {
  await sql(tx)`
    insert into webhook_skips (project_id, livemode, endpoint_id, due_before, kept_events)
    values (${endpoint.project_id}, ${endpoint.livemode}, ${endpoint.id}, app_now(), ${kept_events})`;
}

/** Locks what is left to skip, oldest first. */
export async function lockSkips(tx: Tx, wanted: WantedRows): Promise<SkipRow[]> {
  const tag = sql(tx);
  return tag<SkipRow>`
    -- all tenants: one loop serves every tenant's endpoints
    select project_id, livemode, endpoint_id, id, due_before, kept_events from webhook_skips
    where true ${amongWanted(tag, tag`id::text`, wanted)}
    order by id limit ${wanted.limit} for update skip locked`;
}

export async function deleteSkip(tx: Tx, row: SkipRow): Promise<void> {
  await sql(tx)`
    delete from webhook_skips where project_id = ${row.project_id} and livemode = ${row.livemode} and endpoint_id = ${row.endpoint_id}
      and id = ${row.id}`;
}
