import type { NumberedEvent } from "#events/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import type { Sealed } from "../endpoint/secrets.ts";

export interface CallbackSecretRow extends Tenant, Sealed {
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The receiver of a project's callbacks at one origin. */
export interface Receiver extends Tenant {
  id: string;
  origin: string;
}

const callbackSecretColumns: ColumnsOf<CallbackSecretRow> = columns(
  "callback_secrets",
  `
  project_id, livemode, secret, secret_last4, next_secret, next_secret_last4, rolled_at, previous_secret, previous_until,
  version, created_at, updated_at`,
);

/** Creates missing receivers. Each origin has one per project and environment, whichever process creates it. */
export async function insertReceivers(tx: Tx, rows: Receiver[], given: { api_version: string }): Promise<void> {
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    insert into webhook_endpoints (project_id, livemode, id, kind, url, events, api_version, created_at, updated_at)
    select project_id, livemode, id, 'callback', url, '{}', ${given.api_version}, app_now(), app_now()
    from unnest(${rows.map((row) => row.project_id)}::text[], ${rows.map((row) => String(row.livemode))}::text[]::boolean[],
      ${rows.map((row) => row.id)}::text[], ${rows.map((row) => row.origin)}::text[]) as row (project_id, livemode, id, url)
    on conflict (project_id, livemode, url) where kind = 'callback' do nothing`;
}

export async function insertCallbackSecrets(tx: Tx, rows: (Tenant & Pick<Sealed, "secret" | "secret_last4">)[]): Promise<void> {
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    insert into callback_secrets (project_id, livemode, secret, secret_last4, created_at, updated_at)
    select project_id, livemode, secret, secret_last4, app_now(), app_now()
    from unnest(${rows.map((row) => row.project_id)}::text[], ${rows.map((row) => String(row.livemode))}::text[]::boolean[],
      ${rows.map((row) => row.secret)}::text[], ${rows.map((row) => row.secret_last4)}::text[])
      as row (project_id, livemode, secret, secret_last4)
    on conflict do nothing`;
}

/** One delivery per event, to the receiver of its URL's origin. */
export async function insertCallbackDeliveries(tx: Tx, owed: { event: NumberedEvent; origin: string }[]): Promise<number> {
  const rows = await sql(tx)<{ event_id: string }>`
    -- all tenants: one loop serves every tenant's callbacks
    insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, callback, due_at, created_at, updated_at)
    select o.project_id, o.livemode, w.id, o.id, o.sequence, 'due', true, app_now(), app_now(), app_now()
    from unnest(${owed.map(({ event }) => event.project_id)}::text[], ${owed.map(({ event }) => String(event.livemode))}::text[]::boolean[],
      ${owed.map(({ event }) => event.id)}::text[], ${owed.map(({ event }) => event.sequence)}::bigint[],
      ${owed.map(({ origin }) => origin)}::text[]) as o (project_id, livemode, id, sequence, origin)
    join webhook_endpoints w on w.project_id = o.project_id collate "C" and w.livemode = o.livemode and w.url = o.origin
      and w.kind = 'callback'
    on conflict do nothing
    returning event_id`;
  return rows.length;
}

/** The callback secrets of the given projects and environments. */
export async function listCallbackSecrets(db: Db, tenants: Tenant[]): Promise<CallbackSecretRow[]> {
  if (tenants.length === 0) return [];
  return sql(db)<CallbackSecretRow>`
    -- all tenants: each key names its own project and environment
    select distinct ${callbackSecretColumns.of("s")} from callback_secrets s
    join unnest(${tenants.map((one) => one.project_id)}::text[], ${tenants.map((one) => String(one.livemode))}::text[]::boolean[])
      as t (project_id, livemode) on s.project_id = t.project_id collate "C" and s.livemode = t.livemode`;
}

export async function lockCallbackSecret(tx: Tx, tenant: Tenant): Promise<CallbackSecretRow | null> {
  const [row] = await sql(tx)<CallbackSecretRow>`
    select ${callbackSecretColumns} from callback_secrets
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} for no key update`;
  return row ?? null;
}

/** Also increments the receivers' versions, so that no delivery waiting in a worker's memory is signed with the old secret. */
export async function updateCallbackSecret(tx: Tx, row: CallbackSecretRow): Promise<CallbackSecretRow> {
  const [updated] = await sql(tx)<CallbackSecretRow>`
    with told as (
      update webhook_endpoints set version = version + 1, updated_at = app_now()
      where project_id = ${row.project_id} and livemode = ${row.livemode} and kind = 'callback')
    update callback_secrets set secret = ${row.secret}, secret_last4 = ${row.secret_last4}, next_secret = ${row.next_secret},
      next_secret_last4 = ${row.next_secret_last4}, rolled_at = ${row.rolled_at}, previous_secret = ${row.previous_secret},
      previous_until = ${row.previous_until}, version = version + 1, updated_at = app_now()
    where project_id = ${row.project_id} and livemode = ${row.livemode} returning ${callbackSecretColumns}`;
  return updated as CallbackSecretRow;
}
