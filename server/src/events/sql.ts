import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, type Fragment, joinJson, listEnd, type PageCut, type Pipe, type Rows, type Sent, send, sql } from "#platform/sql.ts";

export interface EventRow {
  id: string;
  /** Its position in the project's order of events; null until it is numbered, a moment after it was written. */
  sequence: number | null;
  event: string;
  body: Buffer;
  created_at: Date;
}

interface NewRow extends Tenant {
  id: string;
  event: string;
  object_id: string;
  callback_url?: string | null;
  test?: boolean;
  body: string;
}

export function insertEvents<On extends Tx | Pipe>(tx: On, rows: NewRow[], now: Date): Sent<On, void> {
  return send(
    tx,
    sql(tx)`
    insert into events (id, project_id, livemode, event, object_id, callback_url, test, body, created_at)
    select id, project_id, livemode, event, object_id, callback_url, test, convert_to(body, 'UTF8'), ${now}
    from unnest(${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.project_id)}::text[],
      ${rows.map((row) => String(row.livemode))}::text[]::boolean[], ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.object_id)}::text[], ${rows.map((row) => row.callback_url ?? null)}::text[],
      ${rows.map((row) => String(row.test === true))}::text[]::boolean[],
      string_to_array(${joinJson(rows.map((row) => row.body))}, chr(31)))
      as row (id, project_id, livemode, event, object_id, callback_url, test, body)`,
    () => {},
  );
}

export async function deleteEvents(tx: Tx, keys: (Tenant & { id: string })[]): Promise<void> {
  await sql(tx)`
    -- all tenants: each key names its own project and environment
    delete from events e
    using unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
    where e.project_id = key.project_id and e.livemode = key.livemode and e.id = key.id`;
}

export async function updateEventBody(tx: Tx, tenant: Tenant, { id, body }: { id: string; body: string }): Promise<void> {
  await sql(tx)`
    update events set body = convert_to(${body}, 'UTF8') where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id}`;
}

/** The events of one object, newest first. */
export async function listEventsOf(
  db: Db,
  tenant: Tenant,
  page: { object_id: string; after: string | null; limit: number },
): Promise<EventRow[]> {
  return sql(db)<EventRow>`
    select id, sequence, event, body, created_at from events
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and object_id = ${page.object_id}
      and (${page.after}::text is null or id < ${page.after})
    order by id desc limit ${page.limit}`;
}

/** One object's events of one name, newest first. */
export async function listEventsNamed(
  db: Db,
  tenant: Tenant,
  { object_id, event }: { object_id: string; event: string },
): Promise<EventRow[]> {
  return sql(db)<EventRow>`
    select id, sequence, event, body, created_at from events
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and object_id = ${object_id} and event = ${event}
    order by id desc`;
}

/** One object's events; `without` names those that the reader can't see. */
interface OfObject {
  object_id: string;
  without?: readonly string[];
}

/** A page of one object's events. */
export function listEventRows(
  db: Db,
  tenant: Tenant,
  { object_id, without = [], cut }: OfObject & { cut: PageCut | null },
): PromiseLike<Rows<EventRow>> & Fragment {
  const tag = sql(db);
  return tag<EventRow>`
    select id, sequence, event, body, created_at from events
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and object_id = ${object_id}
      and event <> all (${without}::text[]) ${listEnd(db, tag`id`, cut)}`;
}

/** The event's id if it is one of this object's; otherwise null. */
export async function findEventOf(
  db: Db,
  tenant: Tenant,
  { object_id, without = [], id }: OfObject & { id: string },
): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`
    select id from events
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and object_id = ${object_id} and id = ${id}
      and event <> all (${without}::text[])`;
  return row?.id ?? null;
}
