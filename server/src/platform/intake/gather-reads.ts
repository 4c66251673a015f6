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
export function gatherReads<Query extends Tenant, Answer>(
  read: (db: Db, queries: readonly Query[]) => Promise<Answer[]>,
): (db: Db, query: Query) => Promise<Answer> {
  const collectorOf = perDatabase((db) =>
    createCollector<Query, Answer>({
      max: sharedMax,
      concurrency: Number.POSITIVE_INFINITY,
      supply: { usual: Number.POSITIVE_INFINITY, reserved: 0 },
      waitMs: 60_000,
      tenantOf: ({ project_id }) => project_id,
      namesOf: () => [],
      isShared: isUnavailable,
      run: (queries) => read(db, queries),
    }),
  );
  return (db, query) => collectorOf(db).add(query);
}
