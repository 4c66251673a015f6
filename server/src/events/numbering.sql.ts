import { amongWanted, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface NumberedEvent extends Tenant {
  id: string;
  event: string;
  sequence: number;
  callback_url: string | null;
}

/** The last assigned number, locked until this transaction ends; null while another one has the lock. */
export async function lockSequence(tx: Tx): Promise<number | null> {
  const [row] = await sql(tx)<{ last: number }>`select last from event_sequence for no key update skip locked`;
  return row?.last ?? null;
}

/** Keeps events from being numbered, and so from being fanned out, until this transaction ends. Waits for the one that numbers them now. */
export async function lockNumbering(tx: Tx): Promise<void> {
  await sql(tx)`select from event_sequence for no key update`;
}

/** The last number of a committed event. */
export async function findLastNumber(db: Db): Promise<number> {
  const [row] = await sql(db)<{ last: number }>`select last from event_sequence`;
  return row?.last ?? 0;
}

export async function updateSequence(tx: Tx, last: number): Promise<void> {
  await sql(tx)`update event_sequence set last = ${last}`;
}

export async function updateNumbered(tx: Tx, last: number, wanted: WantedRows): Promise<NumberedEvent[]> {
  const tag = sql(tx);
  return tag<NumberedEvent>`
    -- all tenants: one order of events for the whole installation
    update events e set sequence = ${last}::bigint + n.n, numbered_at = app_now()
    from (select project_id, livemode, id, row_number() over (order by id) as n
      from (select project_id, livemode, id from events where sequence is null ${amongWanted(tag, tag`id`, wanted)}
        order by id limit ${wanted.limit}) waiting) n
    where e.project_id = n.project_id and e.livemode = n.livemode and e.id = n.id
    returning e.project_id, e.livemode, e.id, e.event, e.sequence, e.callback_url`;
}

/** Waits for the lock, unlike `lockSequence`. */
export async function updateOneNumbered(tx: Tx, tenant: Tenant, id: string): Promise<number> {
  const [row] = await sql(tx)<{ sequence: number }>`
    with counted as (update event_sequence set last = last + 1 returning last)
    update events set sequence = (select last from counted), numbered_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} returning sequence`;
  if (row === undefined) throw new Error("an event was not numbered");
  return row.sequence;
}
