import { claimable, type Tx } from "#platform/index.ts";
import { type Fragment, type PipeSql, sql } from "#platform/sql.ts";
import { type EndpointRow, endpointColumns, isSkipping } from "../../endpoint/sql.ts";
import { maxInFlight } from "./in-flight.ts";

/**
 * Whether a delivery that is sent alone can be added to the leases of its endpoint in `held`. A process with a run sends no more than five
 * of it at once, so only leases of other processes limit it.
 */
export function hasRoom(tag: PipeSql): Fragment {
  return tag`(held.leases = held.own or held.leases < ${maxInFlight}::int)`;
}

interface Suspecting {
  /** The lease prefix of the calling process. */
  holder: string;
  /** Endpoints to leave out. */
  without: readonly string[];
}

/**
 * The endpoint of the earliest due delivery that is sent alone, locked by this transaction. Passes over endpoints that other processes have
 * enough of.
 *
 * Plan: due deliveries in order by `webhook_deliveries_suspect`, up to the first whose endpoint has room; the leases of each by
 * `webhook_deliveries_leased`.
 */
export async function lockSuspectEndpoint(tx: Tx, { holder, without }: Suspecting): Promise<(EndpointRow & { is_stale: boolean })[]> {
  return sql(tx)<EndpointRow & { is_stale: boolean }>`
    -- all tenants: one loop serves every tenant's endpoints
    select ${endpointColumns.of("e")}, true as is_stale from webhook_deliveries q
    join webhook_endpoints e on e.project_id = q.project_id and e.livemode = q.livemode and e.id = q.endpoint_id
    cross join lateral (
      select count(*) as leases, count(*) filter (where starts_with(l.lease, ${holder})) as own from webhook_deliveries l
      where l.project_id = q.project_id and l.livemode = q.livemode and l.endpoint_id = q.endpoint_id and l.state = 'leased'
        and l.lease_until > app_now()) held
    where ${claimable(sql(tx), true)} and e.status = 'enabled' and e.removed_at is null
      and (e.breaker_until is null or e.breaker_until <= app_now()) and not ${isSkipping(sql(tx))}
      and e.id <> all (${without}::text[]) and ${hasRoom(sql(tx))}
    order by q.due_at limit 1 for no key update of e skip locked`;
}
