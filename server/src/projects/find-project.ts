import type { Db, Pipe, Sent } from "#platform/index.ts";
import { findProjectRow, type ProjectRow } from "./sql.ts";

/** A project by its id, or null. The caller decides if the reader may see it. */
export function findProject<On extends Db | Pipe>(db: On, projectId: string): Sent<On, ProjectRow | null> {
  return findProjectRow(db, projectId);
}
