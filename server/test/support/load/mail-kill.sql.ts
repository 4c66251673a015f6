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

const perPage = 5_000;

/** All messages, in portions: one statement for many and their events would take longer than a busy machine allows it. */
export async function listMailTraces(db: Db, tenant: Tenant): Promise<MailTrace[]> {
  const traces: MailTrace[] = [];
  let found = perPage;
  while (found >= perPage) {
    const page = await listTracesAfter(db, tenant, traces.at(-1)?.id ?? "");
    traces.push(...page);
    found = page.length;
  }
  return traces;
}

async function listTracesAfter(db: Db, tenant: Tenant, after: string): Promise<MailTrace[]> {
  return sql(db)<MailTrace>`
    with page as (
      select id, status, message_id, error from emails
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id > ${after} order by id limit ${perPage}),
    told as (
      select object_id,
        array_agg(replace(event, 'email.', '') order by (convert_from(body, 'utf8')::jsonb #>> '{data,sequence}')::int) as names
      from events
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and object_id in (select id from page)
      group by object_id),
    owed as (
      select email_id, count(*) as open from email_recipients
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state <> 'done' and email_id in (select id from page)
      group by email_id)
    select page.*, told.names as told, coalesce(owed.open, 0)::int as open
    from page left join told on told.object_id = page.id left join owed on owed.email_id = page.id
    order by page.id`;
}

/** How many recipients will still be tried. */
export async function countOpenRecipients(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ open: number }>`
    select count(*)::int as open from email_recipients
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state not in ('done', 'set_aside')`;
  return row?.open ?? 0;
}
