import { amongWanted, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { EmailKey } from "../rows.sql.ts";
import type { StoredAttachment } from "../shapes.ts";

/** Lists messages with a recipient that is due for its first or next attempt. */
export async function listWaiting(tx: Tx, wanted: WantedRows): Promise<EmailKey[]> {
  const tag = sql(tx);
  return tag<EmailKey>`
    -- all tenants: one loop serves every tenant
    select distinct project_id, livemode, email_id as id from (
      select project_id, livemode, email_id from email_recipients where state = 'waiting' and due_at <= app_now()
        ${amongWanted(tag, tag`email_id`, wanted)}
      order by due_at limit ${wanted.limit}) waiting`;
}

/** Takes the actions of simulated recipients that are due after delivery; each is returned once. */
export async function updateFollowUps(tx: Tx, limit: number): Promise<(EmailKey & { recipient_id: string; sequel: string })[]> {
  return sql(tx)<EmailKey & { recipient_id: string; sequel: string }>`
    -- all tenants: one loop serves every tenant
    with due as (
      select project_id, livemode, email_id, position, sequel from email_recipients where sequel is not null and sequel_at <= app_now()
      order by sequel_at limit ${limit} for update skip locked)
    update email_recipients r set sequel = null, sequel_at = null from due d
    where r.project_id = d.project_id and r.livemode = d.livemode and r.email_id = d.email_id and r.position = d.position
    returning r.project_id, r.livemode, r.email_id as id, r.id as recipient_id, d.sequel`;
}

/**
 * Deletes texts whose retention ended, and their attempts; returns the files of their attachments. Sealed texts are Tillpost's own, which
 * have no attachments.
 */
export async function deleteBodies(tx: Tx, before: Date, limit: number): Promise<{ files: string[]; count: number }> {
  const rows = await sql(tx)<{ attachments: Pick<StoredAttachment, "file">[] | null }>`
    -- all tenants: one loop serves every tenant
    with old as (
      select b.project_id, b.livemode, b.email_id from email_bodies b
      join emails e on e.project_id = b.project_id and e.livemode = b.livemode and e.id = b.email_id
      where b.created_at < ${before} and (e.scheduled_at is null or e.scheduled_at < ${before})
      order by b.created_at limit ${limit}),
    attempts as (
      delete from email_attempts a using old where a.project_id = old.project_id and a.livemode = old.livemode
        and a.email_id = old.email_id)
    delete from email_bodies b using old
    where b.project_id = old.project_id and b.livemode = old.livemode and b.email_id = old.email_id
    returning case when b.body like '{%'
      then coalesce(b.body::json #> '{parted,attachments}', b.body::json -> 'attachments') end as attachments`;
  return { count: rows.count, files: rows.flatMap(({ attachments }) => (attachments ?? []).map(({ file }) => file)) };
}

/** Lists expired messages that are due in LIVE of some projects, and expired messages that are set aside. */
export async function listOverdue(tx: Tx, projects: string[], wanted: WantedRows): Promise<EmailKey[]> {
  const tag = sql(tx);
  const isWanted = amongWanted(tag, tag`email_id`, wanted);
  return tag<EmailKey>`
    -- all tenants: one loop serves every tenant
    select distinct project_id, livemode, email_id as id from (
      (select project_id, livemode, email_id from email_recipients
        where livemode and state = 'due' and project_id = any(${projects}::text[]) and expires_at <= app_now() ${isWanted}
        limit ${wanted.limit})
      union all
      (select project_id, livemode, email_id from email_recipients where state = 'set_aside' and deaths > 1 and expires_at <= app_now()
        ${isWanted} limit ${wanted.limit})) over`;
}
