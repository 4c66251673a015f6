import type { Tenant } from "../context.ts";
import { isUnavailable } from "../database/database.ts";
import type { Db } from "../sql.ts";
import { createCollector } from "./collector.ts";
import { perDatabase } from "./per-database.ts";

/** Maximum questions that share a statement. */
const sharedMax = 64;

/**
 * A read whose concurrent questions share one statement. `read` returns each result in order; a database failure fails all of them, and any
 * other failure only its own question.
 */
export function gatherReads<Query extends { project_id: string }, Answer>(
  read: (db: Db, queries: readonly Query[]) => Promise<Answer[]>,
): (db: Db, query: Query) => Promise<Answer> {
  return gatherReadsOf(({ project_id }) => project_id, read);
}

/** Like `gatherReads`, for questions whose project isn't known yet. Questions of each `sharerOf` take turns. */
export function gatherReadsOf<Query, Answer>(
  sharerOf: (query: Query) => string,
  read: (db: Db, queries: readonly Query[]) => Promise<Answer[]>,
): (db: Db, query: Query) => Promise<Answer> {
  const collectorOf = perDatabase((db) =>
    createCollector<Query, Answer>({
      max: sharedMax,
      concurrency: Number.POSITIVE_INFINITY,
      supply: { usual: Number.POSITIVE_INFINITY, reserved: 0 },
      waitMs: 60_000,
      tenantOf: sharerOf,
      namesOf: () => [],
      isShared: isUnavailable,
      run: (queries) => read(db, queries),
    }),
  );
  return (db, query) => collectorOf(db).add(query);
}

/** A list of a project and environment whose concurrent reads share one statement, which gets each tenant once. */
export function gatherLists<Row extends Tenant>(
  list: (db: Db, tenants: readonly Tenant[]) => Promise<Row[]>,
): (db: Db, tenant: Tenant) => Promise<Row[]> {
  return gatherReads<Tenant, Row[]>(async (db, tenants) => {
    const distinct = new Map(tenants.map((tenant) => [nameOf(tenant), tenant]));
    const rows = Map.groupBy(await list(db, [...distinct.values()]), nameOf);
    return tenants.map((tenant) => rows.get(nameOf(tenant)) ?? []);
  });
}

function nameOf({ project_id, livemode }: Tenant): string {
  return `${project_id} ${livemode}`;
}
