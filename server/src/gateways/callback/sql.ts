import { type LeaseClaim, type QueueTable, type Tenant, type Tx, updateLeased } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, givenRows, sql } from "#platform/sql.ts";
import type { CallbackReport } from "../callback-port.ts";
import { pollStates } from "../states.ts";

export const callbackQueue: QueueTable = {
  name: "gateway_callbacks",
  table: (tag) => tag`gateway_callbacks`,
  job: (tag) => tag`q.id`,
};

/** A verified callback, stored until it is applied and for a while longer, so that a repeat is recognized. */
export interface StoredCallback extends Tenant {
  id: string;
  gateway: string;
  credential_id: string;
  /** The provider's event name. */
  event: string;
  told: CallbackReport;
  attempts: number;
}

/** The result of applying a callback. `not_ours`: it is about a payment that this installation never requested. */
export type CallbackEffect = "applied" | "nothing" | "not_ours";

const callbackColumns: ColumnsOf<StoredCallback> = columns(
  "gateway_callbacks",
  "project_id, livemode, id, gateway, credential_id, event, told, attempts",
);

/** A newly verified callback. */
export interface NewCallback extends Omit<StoredCallback, "attempts"> {
  /** The same for every delivery of one event. */
  dedupe_key: string;
  /** There is nothing to apply. */
  is_done: boolean;
  /** How long the process that stores it has to apply it before a worker does. */
  wait_ms: number;
}

/** Stores callbacks of any tenants and returns the ids of the new ones: the first one of an event. */
export async function insertCallbacks(tx: Tx, rows: readonly NewCallback[]): Promise<Set<string>> {
  const made = await sql(tx)<{ id: string }>`
    insert into gateway_callbacks (project_id, livemode, id, gateway, credential_id, dedupe_key, event, told, state, outcome, applied_at,
      due_at, received_at)
    select project_id, livemode, id, gateway, credential_id, dedupe_key, event, told, case when is_done then 'done' else 'due' end,
      case when is_done then 'nothing' end, case when is_done then app_now() end, app_now() + wait_ms * interval '1 millisecond', app_now()
    from ${givenRows("given", newColumns, rows)}
    order by project_id, livemode, credential_id, dedupe_key
    on conflict (project_id, livemode, credential_id, dedupe_key) do nothing
    returning id`;
  return new Set(made.map(({ id }) => id));
}

const newColumns = {
  project_id: "text",
  livemode: "boolean",
  id: "text",
  gateway: "text",
  credential_id: "text",
  dedupe_key: "text",
  event: "text",
  told: "jsonb",
  is_done: "boolean",
  wait_ms: "bigint",
} as const;

export async function findCallbackStored(tx: Tx, callback: Tenant & { id: string }): Promise<boolean> {
  const rows = await sql(tx)`
    select from gateway_callbacks where project_id = ${callback.project_id} and livemode = ${callback.livemode} and id = ${callback.id}`;
  return rows.length > 0;
}

/** A callback to apply, leased by this process. */
export type CallbackJob = StoredCallback & { lease: string; received_at: Date };

/** Leases callbacks that were stored but not applied, oldest first. */
export function updateLeasedCallbacks(tx: Tx, claim: Omit<LeaseClaim, "more" | "columns">): Promise<CallbackJob[]> {
  return updateLeased<CallbackJob>(tx, callbackQueue, {
    ...claim,
    more: (tag) => tag``,
    columns: (tag) => tag`${callbackColumns.of("q")}, q.lease, q.received_at`,
  });
}

const unapplied = ["due", "leased", "set_aside"] as const;

/** Stores the result of a callback; returns how many weren't applied yet. */
export function updateCallbackApplied(tx: Tx, callback: Tenant & { id: string }, outcome: CallbackEffect): Promise<number> {
  return updateCallbacksApplied(tx, [callback], outcome);
}

/** Like `updateCallbackApplied`, for callbacks of any tenants. */
export async function updateCallbacksApplied(
  tx: Tx,
  callbacks: readonly (Tenant & { id: string })[],
  outcome: CallbackEffect,
): Promise<number> {
  pollStates.check(unapplied, "done");
  const keys = callbacks.map(({ project_id, livemode, id }) => ({ project_id, livemode, id }));
  const rows = await sql(tx)`
    -- all tenants: each key names its own project and environment
    update gateway_callbacks c set state = 'done', outcome = ${outcome}, applied_at = app_now(), lease = null, lease_until = null
    from ${givenRows("key", { project_id: "text", livemode: "boolean", id: "text" }, keys)}
    where c.project_id = key.project_id and c.livemode = key.livemode and c.id = key.id and c.state <> 'done'`;
  return rows.count;
}

/** Stores that callbacks of any tenants were applied, except for something that is due again later, each after its own time. */
export async function updateCallbacksPostponed(tx: Tx, callbacks: readonly (Tenant & { id: string; wait_ms: number })[]): Promise<void> {
  pollStates.check(unapplied, "due");
  const keys = callbacks.map(({ project_id, livemode, id, wait_ms }) => ({ project_id, livemode, id, wait_ms }));
  await sql(tx)`
    -- all tenants: each key names its own project and environment
    update gateway_callbacks c set state = 'due', outcome = 'applied', lease = null, lease_until = null, deaths = 0,
      due_at = app_now() + key.wait_ms * interval '1 millisecond'
    from ${givenRows("key", { project_id: "text", livemode: "boolean", id: "text", wait_ms: "bigint" }, keys)}
    where c.project_id = key.project_id and c.livemode = key.livemode and c.id = key.id and c.state <> 'done'`;
}

/** Has a callback retried later. */
export async function updateCallbackRetried(tx: Tx, job: Tenant & { id: string; lease: string }, waitMs: number): Promise<number> {
  pollStates.check(["leased"], "due");
  const rows = await sql(tx)`
    update gateway_callbacks set state = 'due', lease = null, lease_until = null, deaths = 0,
      due_at = app_now() + ${waitMs} * interval '1 millisecond'
    where project_id = ${job.project_id} and livemode = ${job.livemode} and id = ${job.id} and state = 'leased' and lease = ${job.lease}`;
  return rows.count;
}

export async function deleteOldCallbacks(tx: Tx, retentionDays: number, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was applied long ago is forgotten, whosever it is
    delete from gateway_callbacks where (project_id, livemode, id) in (
      select project_id, livemode, id from gateway_callbacks where state = 'done'
        and applied_at < app_now() - ${retentionDays} * interval '24 hours'
      limit ${limit} for update skip locked)`;
  return rows.count;
}

export interface Stray {
  id: string;
  gateway: string;
  credential_id: string | null;
  reason: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

export async function insertStray(db: Db, stray: Stray): Promise<void> {
  await sql(db)`
    insert into gateway_strays (id, gateway, credential_id, reason, path, headers, body, received_at)
    values (${stray.id}, ${stray.gateway}, ${stray.credential_id}, ${stray.reason}, ${stray.path}, ${sql(db).json(stray.headers)}::jsonb,
      ${stray.body}, app_now())`;
}

/**
 * Removes strays that are too old, and if there are too many or too large ones in total, the oldest of the account with the most: callbacks
 * to one account don't displace those of another. Each row counts as a little more than its body.
 */
export async function deleteOldStrays(db: Db, given: { retentionDays: number; most: number; maxBytes: number }): Promise<number> {
  const rows = await sql(db)`
    delete from gateway_strays where id in (
      select id from (select id, received_at, row_number() over fair as place, sum(size) over fair as bytes
        from (select id, received_at, size, sum(size) over (partition by credential_id order by received_at desc, id desc) as own_bytes
          from (select id, credential_id, received_at, length(body) + 1024 as size from gateway_strays) sized) ranked
        window fair as (order by own_bytes, received_at desc, id desc)) counted
      where received_at < app_now() - ${given.retentionDays} * interval '24 hours' or place > ${given.most} or bytes > ${given.maxBytes})`;
  return rows.count;
}
