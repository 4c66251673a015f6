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

export async function listSmsTraces(db: Db, tenant: Tenant): Promise<SmsTrace[]> {
  return sql(db)<SmsTrace>`
    with told as (
      select object_id,
        array_agg(replace(event, 'sms.', '') order by (convert_from(body, 'utf8')::jsonb #>> '{data,sequence}')::int) as names
      from events
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and event like 'sms.%' group by object_id)
    select s.id, s.recipient, s.status, s.error ->> 'code' as error_code, s.segments, s.segments_sent, told.names as told
    from sms s left join told on told.object_id = s.id
    where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} order by s.id`;
}

/** Messages that aren't sent yet, or whose report hasn't arrived. */
export async function countOpenSms(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ open: number }>`
    select count(*)::int as open from sms
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and (state <> 'done' or (status = 'sent' and error is null))`;
  return row?.open ?? 0;
}
