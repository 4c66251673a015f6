import type { Tenant } from "../context.ts";
import { type Fragment, type Sql, sql, type Tx } from "../sql.ts";

/** A room's own table whose rows are called over the network: `consecutive_failures`, `failing_since`, `breaker_until`, `breaker_trips`. */
export interface BreakerTable {
  table(tag: Sql): Fragment;
}

/** A row of such a table. */
export type BreakerKey = Tenant & { id: string };

export interface Health extends BreakerKey {
  consecutive_failures: number;
  /** Whether its breaker is open. */
  is_open: boolean;
  breaker_trips: number;
}

export async function updateFailing(
  tx: Tx,
  { table }: BreakerTable,
  { key, failures }: { key: BreakerKey; failures: number },
): Promise<Health | null> {
  const tag = sql(tx);
  const [row] = await tag<Health>`
    update ${table(tag)} set consecutive_failures = consecutive_failures + ${failures}, failing_since = coalesce(failing_since, app_now())
    where project_id = ${key.project_id} and livemode = ${key.livemode} and id = ${key.id}
    returning project_id, livemode, id, consecutive_failures, coalesce(breaker_until > app_now(), false) as is_open, breaker_trips`;
  return row ?? null;
}

export async function updateBreaker(
  tx: Tx,
  { table }: BreakerTable,
  { key, durationMs, trips }: { key: BreakerKey; durationMs: number; trips: number },
): Promise<void> {
  const tag = sql(tx);
  await tag`
    update ${table(tag)} set breaker_until = app_now() + ${durationMs} * interval '1 millisecond', breaker_trips = ${trips}
    where project_id = ${key.project_id} and livemode = ${key.livemode} and id = ${key.id}`;
}
