import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Delivery statistics of an endpoint. */
export interface EndpointStats {
  id: string;
  /** Deliveries that are due or in progress; counted up to the given limit. */
  waiting: number;
  /** Of the most recent completed attempts: how many there are, and how many succeeded. */
  attempts: number;
  succeeded: number;
  /** The most recent failed attempt among them. */
  last_error: { attempt_id: string; error_code: string; response_status: number | null; created_at: string } | null;
}

/** Reads a bounded number of rows per endpoint. */
export async function listStats(
  db: Db,
  tenant: Tenant,
  given: { ids: string[]; maxWaiting: number; newest: number },
): Promise<EndpointStats[]> {
  return sql(db)<EndpointStats>`
    select w.id, b.waiting, r.attempts, r.succeeded, r.last_error
    from unnest(${given.ids}::text[]) as w (id)
    cross join lateral (
      select count(*)::int as waiting from (
        select from webhook_deliveries d
        where d.project_id = ${tenant.project_id} and d.livemode = ${tenant.livemode} and d.endpoint_id = w.id collate "C"
          and d.state in ('due', 'leased')
        limit ${given.maxWaiting}) one) b
    cross join lateral (
      select count(*)::int as attempts, count(*) filter (where a.status = 'succeeded')::int as succeeded,
        (array_agg(json_build_object('attempt_id', a.id, 'error_code', a.error_code, 'response_status', a.response_status,
          'created_at', to_char(coalesce(a.sent_at, a.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by a.id desc)
          filter (where a.status = 'failed'))[1] as last_error
      from (
        select id, status, error_code, response_status, sent_at, created_at from webhook_attempts a
        where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.endpoint_id = w.id collate "C"
          and a.status <> 'started'
        order by a.id desc limit ${given.newest}) a) r`;
}
