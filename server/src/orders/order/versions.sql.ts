import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The current versions of orders, for pages that wait for changes. */
export async function listOrderVersions(db: Db, keys: (Tenant & { id: string })[]): Promise<{ id: string; version: number }[]> {
  return sql(db)<{ id: string; version: number }>`
    -- all tenants: each key names its own project and environment
    select o.id, o.version
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
    join orders o on o.project_id = key.project_id and o.livemode = key.livemode and o.id = key.id`;
}
