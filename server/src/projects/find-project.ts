import type { Db, Pipe, Sent } from "#platform/index.ts";
import { findProjectRow, type ProjectRow } from "./sql.ts";

/** A project by its id, or null. Whether the caller may see it is the caller's to decide. */
export function findProject<On extends Db | Pipe>(db: On, projectId: string): Sent<On, ProjectRow | null> {
  return findProjectRow(db, projectId);
}
