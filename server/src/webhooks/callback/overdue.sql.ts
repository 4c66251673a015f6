import { amongWanted, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** A receiver of callbacks that has been failing for long. */
export interface FailingReceiver extends Tenant {
  id: string;
  origin: string;
  failing_since: Date;
  merchant_id: string;
}

/** Ends callbacks that were still waiting so many hours after their event. Returns how many. */
export async function updateOverdue(tx: Tx, afterHours: number, limit: number): Promise<number> {
  const rows = await sql(tx)<{ event_id: string }>`
    -- all tenants: one loop serves every tenant's callbacks
    with overdue as (
      select project_id, livemode, endpoint_id, event_id from webhook_deliveries
      where callback and state = 'due' and created_at < app_now() - ${afterHours} * interval '1 hour'
      order by created_at limit ${limit} for update skip locked),
    ended as (
      update webhook_deliveries d set state = 'failed', updated_at = app_now() from overdue o
      where d.project_id = o.project_id and d.livemode = o.livemode and d.endpoint_id = o.endpoint_id and d.event_id = o.event_id
      returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.attempts),
    announced as (
      update webhook_attempts a set next_attempt_at = null from ended e
      where a.project_id = e.project_id and a.livemode = e.livemode and a.endpoint_id = e.endpoint_id and a.event_id = e.event_id
        and a.attempt = e.attempts and a.next_attempt_at is not null)
    select event_id from ended`;
  return rows.length;
}

/** Locks receivers without a success for so many hours whose merchant wasn't notified yet, longest first. */
export async function lockFailingReceivers(tx: Tx, afterHours: number, wanted: WantedRows): Promise<FailingReceiver[]> {
  const tag = sql(tx);
  return tag<FailingReceiver>`
    -- all tenants: one loop serves every tenant's callbacks
    select e.project_id, e.livemode, e.id, e.url as origin, e.failing_since, p.merchant_id
    from webhook_endpoints e join projects p on p.id = e.project_id
    where e.kind = 'callback' and e.warnings = 0 and e.failing_since <= app_now() - ${afterHours} * interval '1 hour'
      and e.status = 'enabled' and e.removed_at is null ${amongWanted(tag, tag`e.id`, wanted)}
    order by e.failing_since limit ${wanted.limit} for no key update of e skip locked`;
}

/** Marks receivers whose merchants are notified. */
export async function updateReceiversWarned(tx: Tx, receivers: readonly FailingReceiver[]): Promise<void> {
  await sql(tx)`
    -- all tenants: each key names its own project and environment
    update webhook_endpoints e set warnings = 1
    from unnest(${receivers.map((one) => one.project_id)}::text[], ${receivers.map((one) => String(one.livemode))}::text[]::boolean[],
      ${receivers.map((one) => one.id)}::text[]) as key (project_id, livemode, id)
    where e.project_id = key.project_id and e.livemode = key.livemode and e.id = key.id`;
}

/** Whether the merchant can be told that callbacks of a project fail: at most once in so many hours. */
export async function updateTold(tx: Tx, { project_id, livemode }: Tenant, everyHours: number): Promise<boolean> {
  const rows = await sql(tx)`
    update callback_secrets set failing_told_at = app_now()
    where project_id = ${project_id} and livemode = ${livemode}
      and (failing_told_at is null or failing_told_at <= app_now() - ${everyHours} * interval '1 hour')`;
  return rows.count === 1;
}
