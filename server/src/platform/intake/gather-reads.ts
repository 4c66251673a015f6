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
export function gatherReads<Asked extends Tenant, Answer>(
  read: (db: Db, asked: readonly Asked[]) => Promise<Answer[]>,
): (db: Db, asked: Asked) => Promise<Answer> {
  const collectorOf = perDatabase((db) =>
    createCollector<Asked, Answer>({
      max: sharedMax,
      concurrency: Number.POSITIVE_INFINITY,
      supply: { usual: Number.POSITIVE_INFINITY, reserved: 0 },
      waitMs: 60_000,
      tenantOf: ({ project_id }) => project_id,
      namesOf: () => [],
      isShared: isUnavailable,
      run: (asked) => read(db, asked),
    }),
  );
  return (db, asked) => collectorOf(db).add(asked);
}
