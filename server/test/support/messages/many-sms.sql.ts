import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface ManySms {
  from: number;
  to: number;
  /** `sent` ones wait for a report about `r<n>`. */
  status: "queued" | "sent" | "delivered";
  sender: string;
  now: Date;
}

/** Messages in a given state: delivered long ago, with a carrier and without a report yet, or waiting to be sent. */
export async function insertManySms(db: Db, tenant: Tenant, given: ManySms): Promise<void> {
  const { status, sender, now } = given;
  const { project_id, livemode } = tenant;
  const isDone = status !== "queued";
  await sql(db)`
    with numbers as (select n, 'sms_' || lpad(n::text, 26, '0') as id from generate_series(${given.from}::int, ${given.to}::int) n),
    bodies as (
      insert into sms_bodies (project_id, livemode, sms_id, body, created_at)
      select ${project_id}, ${livemode}, id, 'Your order ' || n || ' is on its way.', ${now}::timestamptz from numbers),
    parts as (
      insert into sms_parts (project_id, livemode, sms_id, place, provider, provider_message_id, folded_id, status, reported_at, created_at)
      select ${project_id}, ${livemode}, id, 0, 'smpp:bench', 'r' || n, 'r' || n, ${status},
        case when ${status} = 'delivered' then ${now}::timestamptz end, ${now}::timestamptz
      from numbers where ${isDone}),
    attempts as (
      insert into sms_attempts (project_id, livemode, sms_id, attempt, result, provider, segments_sent, created_at, finished_at)
      select ${project_id}, ${livemode}, id, 1, 'accepted', 'smpp:bench', 1, ${now}::timestamptz, ${now}::timestamptz from numbers
        where ${isDone})
    insert into sms (project_id, livemode, id, direction, status, sequence, last_event, sender, sender_kind, recipient, country, encoding,
      segments, segments_sent, provider, state, due_at, attempts, expires_at, sent_at, created_at, updated_at)
    select ${project_id}, ${livemode}, id, 'outbound', ${status}, 2, ${status}, ${sender}, 'number', '+1415' || 2000000 + n % 7000000, 'US',
      'GSM-7', 1, case when ${isDone} then 1 else 0 end, case when ${isDone} then 'smpp:bench' end,
      case when ${isDone} then 'done' else 'due' end, ${now}::timestamptz, case when ${isDone} then 1 else 0 end,
      ${now}::timestamptz + interval '10 hours', case when ${isDone} then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
    from numbers`;
  // Old rows have been vacuumed: that work of the database must not affect what is measured next.
  await sql(db)`vacuum (analyze) sms, sms_bodies, sms_parts, sms_attempts`;
}

/** Inbound messages to one number, from `contacts` others, among ten times as many that were sent. */
export async function insertManyInbound(
  db: Db,
  tenant: Tenant,
  given: { count: number; contacts: number; number: string; now: Date },
): Promise<void> {
  const { count, contacts, number, now } = given;
  await sql(db)`
    insert into sms (project_id, livemode, id, direction, status, sequence, last_event, sender, sender_kind, recipient, country, encoding,
      segments, provider, state, due_at, expires_at, created_at, updated_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'sms_' || lpad((10 * n)::text, 26, '0') || 'i', 'inbound', 'received', 1, 'received',
      '+1415' || 2000000 + n % ${contacts}::int, 'number', ${number}, 'US', 'GSM-7', 1, 'smpp:bench', 'done', ${now}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from generate_series(1, ${count}::int) n`;
  await sql(db)`vacuum (analyze) sms`;
}
