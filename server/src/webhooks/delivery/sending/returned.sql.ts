import type { Tx } from "#platform/index.ts";
import { known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import { isUnwanted } from "../../endpoint/sql.ts";
import type { ClaimedRow, LostDelivery } from "./claim.sql.ts";

type Unsent = Pick<ClaimedRow, "project_id" | "livemode" | "endpoint_id" | "event_id" | "attempt_id" | "lease">;

/**
 * Returns leased deliveries that were never sent, as if they had not been claimed; their attempts are discarded. Those that their endpoints
 * no longer want are skipped, as if they had been waiting when those changed.
 *
 * Plan: deliveries by `webhook_deliveries_pkey`, their endpoints and events each by its primary key, and their attempts by the delivery's
 * key and the attempt's id or number.
 */
export function updateReturned<On extends Tx | Pipe>(tx: On, unsent: Unsent[]): Sent<On, void> {
  if (unsent.length === 0) return known(tx, undefined);
  return send(
    tx,
    sql(tx)`
    -- all tenants: one loop serves every tenant's endpoints
    with given as (
      select * from unnest(${unsent.map((one) => one.project_id)}::text[], ${unsent.map((one) => String(one.livemode))}::text[]::boolean[],
        ${unsent.map((one) => one.endpoint_id)}::text[], ${unsent.map((one) => one.event_id)}::text[],
        ${unsent.map((one) => one.attempt_id)}::text[], ${unsent.map((one) => one.lease)}::text[])
        as given (project_id, livemode, endpoint_id, event_id, attempt_id, lease)),
    released as (
      update webhook_deliveries d
      set state = case when ${isUnwanted(sql(tx), sql(tx)`g.event_id collate "C"`)} then 'skipped' else 'due' end,
        attempts = d.attempts - 1, lease = null, lease_until = null, updated_at = app_now()
      from given g join webhook_endpoints e on e.project_id = g.project_id collate "C" and e.livemode = g.livemode
        and e.id = g.endpoint_id collate "C"
      where d.project_id = g.project_id collate "C" and d.livemode = g.livemode and d.endpoint_id = g.endpoint_id collate "C"
        and d.event_id = g.event_id collate "C" and d.lease = g.lease
      returning d.project_id, d.livemode, d.endpoint_id, d.event_id, d.state, d.attempts, g.attempt_id),
    ended as (
      update webhook_attempts a set next_attempt_at = null from released r
      where r.state = 'skipped' and a.project_id = r.project_id and a.livemode = r.livemode and a.endpoint_id = r.endpoint_id
        and a.event_id = r.event_id and a.attempt = r.attempts and a.next_attempt_at is not null)
    delete from webhook_attempts a using released r
    where a.project_id = r.project_id and a.livemode = r.livemode and a.endpoint_id = r.endpoint_id and a.event_id = r.event_id
      and a.id = r.attempt_id collate "C" and a.status = 'started'`,
    () => {},
  );
}

type Named = Pick<LostDelivery, "endpoint_id" | "event_id">;

/** Of deliveries whose worker was lost, those that their endpoints no longer want. */
export async function listUnwanted(tx: Tx, lost: LostDelivery[]): Promise<Named[]> {
  if (lost.length === 0) return [];
  return sql(tx)<Named>`
    -- all tenants: one loop serves every tenant's endpoints
    select g.endpoint_id, g.event_id
    from unnest(${lost.map((one) => one.project_id)}::text[], ${lost.map((one) => String(one.livemode))}::text[]::boolean[],
      ${lost.map((one) => one.endpoint_id)}::text[], ${lost.map((one) => one.event_id)}::text[])
      as g (project_id, livemode, endpoint_id, event_id)
    join webhook_endpoints e on e.project_id = g.project_id collate "C" and e.livemode = g.livemode and e.id = g.endpoint_id collate "C"
    where ${isUnwanted(sql(tx), sql(tx)`g.event_id collate "C"`)}`;
}
