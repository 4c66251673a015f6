import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, type Fragment, type PipeSql, type Sql, sql } from "#platform/sql.ts";
import { subscribed } from "../subscribed.sql.ts";

export type EndpointStatus = "enabled" | "disabled";

/**
 * An endpoint that a project registered, or the receiver of its callbacks at one origin, which has no secret and isn't listed.
 */
export interface EndpointRow extends Tenant {
  id: string;
  kind: "endpoint" | "callback";
  url: string;
  events: string[];
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  secret: string;
  secret_last4: string;
  next_secret: string | null;
  next_secret_last4: string | null;
  rolled_at: Date | null;
  previous_secret: string | null;
  previous_until: Date | null;
  api_version: string;
  consecutive_failures: number;
  failing_since: Date | null;
  warnings: number;
  last_success_at: Date | null;
  breaker_until: Date | null;
  breaker_trips: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  removed_at: Date | null;
}

type NewEndpoint = Pick<
  EndpointRow,
  "project_id" | "livemode" | "id" | "url" | "events" | "description" | "secret" | "secret_last4" | "api_version" | "created_at"
>;

export const endpointColumns: ColumnsOf<EndpointRow> = columns(
  "webhook_endpoints",
  `
  project_id, livemode, id, url, events, description, status, disabled_reason, secret, secret_last4, next_secret, next_secret_last4, rolled_at,
  previous_secret, previous_until, api_version, consecutive_failures, failing_since, warnings, last_success_at, breaker_until, breaker_trips,
  version, created_at, updated_at, removed_at, kind`,
);

export async function insertEndpoint(tx: Tx, row: NewEndpoint): Promise<EndpointRow> {
  const [made] = await sql(tx)<EndpointRow>`
    insert into webhook_endpoints (project_id, livemode, id, url, events, description, secret, secret_last4,
      api_version, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.url}, ${row.events}, ${row.description}, ${row.secret},
      ${row.secret_last4}, ${row.api_version}, ${row.created_at}, ${row.created_at})
    returning ${endpointColumns}`;
  return made as EndpointRow;
}

/** Includes deleted endpoints, whose history remains available for a while, but never receivers of callbacks. */
export async function findEndpointRow(db: Db, tenant: Tenant, id: string): Promise<EndpointRow | null> {
  const [row] = await byKey(db)<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} and kind = 'endpoint'`;
  return row ?? null;
}

export async function lockEndpoint(tx: Tx, tenant: Tenant, id: string): Promise<EndpointRow | null> {
  const [row] = await sql(tx)<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} and kind = 'endpoint' for no key update`;
  return row ?? null;
}

/** Locks the project, so that two concurrent requests cannot both create the last allowed endpoint. */
export async function lockEndpointCount(tx: Tx, tenant: Tenant): Promise<number> {
  await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
  const rows = await sql(tx)<{ id: string }>`
    select id from webhook_endpoints where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and kind = 'endpoint'
      and removed_at is null`;
  return rows.length;
}

export async function listEndpointRows(db: Db, tenant: Tenant): Promise<EndpointRow[]> {
  return sql(db)<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and kind = 'endpoint' and removed_at is null
    order by id desc`;
}

/** The columns that a user or a rule changes; increments `version`. */
export async function updateEndpoint(tx: Tx, row: EndpointRow): Promise<EndpointRow> {
  const [updated] = await sql(tx)<EndpointRow>`
    update webhook_endpoints set url = ${row.url}, events = ${row.events}, description = ${row.description}, status = ${row.status},
      disabled_reason = ${row.disabled_reason}, secret = ${row.secret}, secret_last4 = ${row.secret_last4},
      next_secret = ${row.next_secret}, next_secret_last4 = ${row.next_secret_last4}, rolled_at = ${row.rolled_at},
      previous_secret = ${row.previous_secret}, previous_until = ${row.previous_until}, consecutive_failures = ${row.consecutive_failures},
      failing_since = ${row.failing_since}, warnings = ${row.warnings}, breaker_until = ${row.breaker_until},
      breaker_trips = ${row.breaker_trips}, removed_at = ${row.removed_at}, version = version + 1, updated_at = app_now()
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}
    returning ${endpointColumns}`;
  return updated as EndpointRow;
}

/** Whether something of endpoint `e` is still to be skipped: until then, nothing is sent to it. */
export function isSkipping(tag: Sql): Fragment {
  return tag`exists (select from webhook_skips s where s.project_id = e.project_id and s.livemode = e.livemode and s.endpoint_id = e.id)`;
}

/**
 * Whether endpoint `e` no longer wants an event that it was owed: it was disabled or deleted, or subscribes to other events. A receiver of
 * callbacks has no subscription.
 */
export function isUnwanted(tag: PipeSql, eventId: Fragment): Fragment {
  return tag`(e.status = 'disabled' or e.removed_at is not null or (e.kind = 'endpoint' and (
    select not ${subscribed(tag, tag`v.event`, tag`e.events`)} from events v
    where v.project_id = e.project_id and v.livemode = e.livemode and v.id = ${eventId})))`;
}
