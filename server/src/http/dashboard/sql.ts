import { type Db, sql } from "#platform/sql.ts";

export interface Queue {
  name: string;
  waiting: number;
  oldest_due_at: Date | null;
  dead: number;
  /** Not tried any more until an operator releases it. */
  set_aside: number;
}

/**
 * The length and age of each queue of the installation, and failures in the last day.
 *
 * Plan: each figure is a count by its own partial index (`…_due`, `…_leased`, `…_suspect`, `…_failed`, `emails_open`), because no index
 * covers them all, and operators' pages and every scrape of the metrics must not read a whole table of messages.
 * `gateway_callbacks_unapplied` serves the callbacks while few are waiting. One statement, so that all queues' figures are from the same
 * moment.
 */
export async function listQueues(db: Db): Promise<Queue[]> {
  return await sql(db)<Queue>`
    -- all tenants: the operator's view of the whole installation
    select 'webhook_deliveries' as name,
      (select count(*) from webhook_deliveries where state = 'due')
        + (select count(*) from webhook_deliveries where state = 'leased') as waiting,
      (select min(due_at) from webhook_deliveries where state = 'due' and due_at <= app_now()) as oldest_due_at,
      (select count(*) from webhook_deliveries where state = 'failed' and updated_at >= app_now() - interval '24 hours') as dead,
      (select count(*) from webhook_deliveries where state = 'set_aside' and deaths > 1) as set_aside
    union all
    select 'events_to_fan_out', count(*), min(created_at), 0, 0 from events where sequence is null
    union all
    select 'emails', (select count(*) from emails where status in ('queued', 'sending', 'delivery_delayed')),
      (select min(created_at) from emails where status = 'queued'),
      (select count(*) from emails where status = 'failed' and updated_at >= app_now() - interval '24 hours'),
      (select count(*) from email_recipients where state = 'set_aside' and deaths > 1)
    union all
    select 'sms', (select count(*) from sms where state = 'due') + (select count(*) from sms where state = 'leased'),
      (select min(due_at) from sms where state = 'due' and due_at <= app_now()),
      (select count(*) from sms where status = 'failed' and updated_at >= app_now() - interval '24 hours'),
      (select count(*) from sms where state = 'set_aside' and deaths > 1)
    union all
    select 'calls', (select count(*) from calls where state = 'due') + (select count(*) from calls where state = 'leased'),
      (select min(due_at) from calls where state = 'due' and due_at <= app_now()),
      (select count(*) from calls where status = 'failed' and updated_at >= app_now() - interval '24 hours'),
      (select count(*) from calls where state = 'set_aside' and deaths > 1)
    union all
    select 'notices', count(*) filter (where state in ('due', 'leased')), min(due_at) filter (where state = 'due' and due_at <= app_now()),
      count(*) filter (where state = 'failed' and created_at >= app_now() - interval '24 hours'),
      count(*) filter (where state = 'set_aside')
    from notices where state in ('due', 'leased', 'set_aside', 'failed')
    union all
    select 'gateway_payments', count(*) filter (where state = 'leased' or due_at <= app_now()),
      min(due_at) filter (where state = 'due' and due_at <= app_now()), 0, count(*) filter (where state = 'set_aside')
    from gateway_payments where status <> 'done'
    union all
    select 'gateway_refunds', count(*) filter (where state = 'leased' or due_at <= app_now()),
      min(due_at) filter (where state = 'due' and due_at <= app_now()), 0, count(*) filter (where state = 'set_aside')
    from gateway_refunds where state <> 'done'
    union all
    select 'gateway_callbacks', count(*) filter (where state = 'leased' or state = 'due' and due_at <= app_now()),
      min(due_at) filter (where state = 'due' and due_at <= app_now()), 0, count(*) filter (where state = 'set_aside')
    from gateway_callbacks where state <> 'done'
    union all
    select 'gateway_comparisons', count(*) filter (where state = 'leased' or due_at <= app_now()),
      min(due_at) filter (where state = 'due' and due_at <= app_now()), 0, count(*) filter (where state = 'set_aside')
    from gateway_comparisons where state <> 'done'
    union all
    select 'audit_to_chain', count(*), min(created_at), 0, 0 from audit_log where position is null`;
}

export async function findDatabaseSize(db: Db): Promise<{ bytes: number; connections: number }> {
  const [row] = await sql(db)<{ bytes: number; connections: number }>`
    select pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections`;
  return row as { bytes: number; connections: number };
}
