import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The delivery of one event to one endpoint. */
export interface DeliveryRow extends Tenant {
  endpoint_id: string;
  event_id: string;
  url: string;
  state: "due" | "leased" | "set_aside" | "succeeded" | "failed" | "skipped";
  attempts: number;
  /** When it is attempted next; null once completed. */
  next_attempt_at: Date | null;
  attempt_id: string | null;
  response_status: number | null;
  error_code: string | null;
  /** When the last attempt was sent. */
  attempted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The deliveries of one event to all endpoints that subscribed to it, including deleted ones, newest endpoint first. */
export async function listDeliveryRows(db: Db, tenant: Tenant, eventId: string): Promise<DeliveryRow[]> {
  return sql(db)<DeliveryRow>`
    select d.project_id, d.livemode, d.endpoint_id, d.event_id, w.url, d.state, d.attempts,
      case when d.state = 'due' then d.due_at end as next_attempt_at, a.id as attempt_id, a.response_status, a.error_code,
      coalesce(a.sent_at, a.created_at) as attempted_at, d.created_at, d.updated_at
    from webhook_endpoints w
    join webhook_deliveries d on d.project_id = w.project_id and d.livemode = w.livemode and d.endpoint_id = w.id
      and d.event_id = ${eventId}
    left join lateral (
      select a.id, a.response_status, a.error_code, a.sent_at, a.created_at from webhook_attempts a
      where a.project_id = d.project_id and a.livemode = d.livemode and a.endpoint_id = d.endpoint_id and a.event_id = d.event_id
        and (a.sent_at is not null or a.status <> 'started')
      order by a.attempt desc limit 1) a on true
    where w.project_id = ${tenant.project_id} and w.livemode = ${tenant.livemode} and w.kind = 'endpoint'
    order by d.endpoint_id desc`;
}
