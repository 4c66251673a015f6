import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** One message with what was reported about it. */
export interface SmsTrace {
  id: string;
  recipient: string;
  status: string;
  error_code: string | null;
  segments: number;
  segments_sent: number;
  /** Names of its events, in order. */
  told: string[];
}

const perPage = 5_000;

/** All messages, in portions: one statement for a hundred thousand and their events would take longer than a busy machine allows it. */
export async function listSmsTraces(db: Db, tenant: Tenant): Promise<SmsTrace[]> {
  const traces: SmsTrace[] = [];
  let found = perPage;
  while (found >= perPage) {
    const page = await listTracesAfter(db, tenant, traces.at(-1)?.id ?? "");
    traces.push(...page);
    found = page.length;
  }
  return traces;
}

async function listTracesAfter(db: Db, tenant: Tenant, after: string): Promise<SmsTrace[]> {
  return sql(db)<SmsTrace>`
    with page as (
      select id, recipient, status, error ->> 'code' as error_code, segments, segments_sent from sms
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id > ${after} order by id limit ${perPage}),
    told as (
      select object_id,
        array_agg(replace(event, 'sms.', '') order by (convert_from(body, 'utf8')::jsonb #>> '{data,sequence}')::int) as names
      from events
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and event like 'sms.%'
        and object_id in (select id from page)
      group by object_id)
    select page.*, told.names as told from page left join told on told.object_id = page.id order by page.id`;
}

/** Messages that aren't sent yet, or whose report hasn't arrived. */
export async function countOpenSms(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ open: number }>`
    select count(*)::int as open from sms
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and (state <> 'done' or (status = 'sent' and error is null))`;
  return row?.open ?? 0;
}
