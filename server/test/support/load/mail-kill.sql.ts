import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** One message with what was reported about it. */
export interface MailTrace {
  id: string;
  status: string;
  message_id: string;
  /** Names of its events, in order. */
  told: string[];
  /** Recipients that are still owed something. */
  open: number;
  /** Why it failed or bounced. */
  error: { code: string; message: string } | null;
}

export async function listMailTraces(db: Db, tenant: Tenant): Promise<MailTrace[]> {
  return sql(db)<MailTrace>`
    with told as (
      select object_id,
        array_agg(replace(event, 'email.', '') order by (convert_from(body, 'utf8')::jsonb #>> '{data,sequence}')::int) as names
      from events
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} group by object_id),
    owed as (
      select email_id, count(*) as open from email_recipients
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state <> 'done' group by email_id)
    select e.id, e.status, e.message_id, told.names as told, coalesce(owed.open, 0)::int as open, e.error
    from emails e left join told on told.object_id = e.id left join owed on owed.email_id = e.id
    where e.project_id = ${tenant.project_id} and e.livemode = ${tenant.livemode} order by e.id`;
}

/** How many recipients will still be tried. */
export async function countOpenRecipients(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ open: number }>`
    select count(*)::int as open from email_recipients
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state not in ('done', 'set_aside')`;
  return row?.open ?? 0;
}
