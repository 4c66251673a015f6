import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { subscribed } from "../subscribed.sql.ts";

/**
 * Skips an endpoint's pending deliveries in the transaction that disables or enables it, so that their outcome never depends on when a
 * sweep runs. With `except`, skips only events outside these names and families. Their last attempts no longer announce a next one.
 */
export async function updateSkippedOf(tx: Tx, endpoint: Tenant & { id: string }, given: { except: string[] | null }): Promise<void> {
  await sql(tx)`
    with skipped as (
      update webhook_deliveries d set state = 'skipped', updated_at = app_now()
      from events e
      where d.project_id = ${endpoint.project_id} and d.livemode = ${endpoint.livemode} and d.endpoint_id = ${endpoint.id}
        and d.state = 'due' and e.project_id = d.project_id and e.livemode = d.livemode and e.id = d.event_id
        and (${given.except}::text[] is null or not ${subscribed(sql(tx), sql(tx)`e.event`, sql(tx)`${given.except ?? []}::text[]`)})
      returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.attempts)
    update webhook_attempts a set next_attempt_at = null from skipped s
    where a.project_id = s.project_id and a.livemode = s.livemode and a.endpoint_id = s.endpoint_id and a.event_id = s.event_id
      and a.attempt = s.attempts and a.next_attempt_at is not null`;
}
