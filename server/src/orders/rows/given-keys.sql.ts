import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, givenRows, type Pipe, sql } from "#platform/sql.ts";

/** Keys of rows of any tenants as a relation `key (project_id, livemode, id)`. */
export function givenKeys(on: Db | Pipe, keys: readonly (Tenant & { id: string })[]): Fragment {
  if (keys.length === 1) return givenRows("key", { project_id: "text", livemode: "boolean", id: "text" }, keys);
  return sql(on)`unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
    ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)`;
}
