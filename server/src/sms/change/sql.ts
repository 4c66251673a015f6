import { amongWanted, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { SmsKey } from "../rows.sql.ts";

/** Messages that are due for their first or next attempt. */
export async function listWaiting(tx: Tx, wanted: WantedRows): Promise<SmsKey[]> {
  const tag = sql(tx);
  return tag<SmsKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from sms where state = 'waiting' and due_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
      order by due_at limit ${wanted.limit}`;
}

/** Expired messages that no worker has and no carrier accepted. */
export async function listOverdue(tx: Tx, wanted: WantedRows): Promise<SmsKey[]> {
  const tag = sql(tx);
  return tag<SmsKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from sms
    where state in ('due', 'set_aside') and expires_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
    order by expires_at limit ${wanted.limit}`;
}

/** Returns true if there was a text. Its row remains, because it determines when the attempts are deleted. */
export async function updateDeletedBody(tx: Tx, { project_id, livemode, id }: SmsKey): Promise<boolean> {
  const rows = await sql(tx)`
    update sms_bodies set body = null where project_id = ${project_id} and livemode = ${livemode} and sms_id = ${id} and body is not null`;
  return rows.count === 1;
}

/** Deletes texts whose retention ended, and their attempts. */
export async function deleteOldBodies(tx: Tx, before: Date, limit: number): Promise<(SmsKey & { direction: "inbound" | "outbound" })[]> {
  return sql(tx)<SmsKey & { direction: "inbound" | "outbound" }>`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    with old as (
      select b.project_id, b.livemode, b.sms_id, s.direction from sms_bodies b
      join sms s on s.project_id = b.project_id and s.livemode = b.livemode and s.id = b.sms_id
      where b.created_at < ${before} and (s.scheduled_at is null or s.scheduled_at < ${before})
      order by b.created_at limit ${limit}),
    attempts as (
      delete from sms_attempts a using old where a.project_id = old.project_id and a.livemode = old.livemode and a.sms_id = old.sms_id)
    delete from sms_bodies b using old where b.project_id = old.project_id and b.livemode = old.livemode and b.sms_id = old.sms_id
    returning old.project_id, old.livemode, old.sms_id as id, old.direction`;
}

export async function deleteOldReferences(tx: Tx, before: Date, limit: number): Promise<void> {
  await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from sms_references where (project_id, livemode, sender, recipient) in (
      select project_id, livemode, sender, recipient from sms_references where used_at < ${before}
      order by used_at limit ${limit} for update skip locked)`;
}
