import type { Db } from "#platform/index.ts";
import { findProjectRow, type ProjectRow } from "./sql.ts";

/** A project by its id, or null. Whether the caller may see it is the caller's to decide. */
export function findProject(db: Db, projectId: string): Promise<ProjectRow | null> {
  return findProjectRow(db, projectId);
}
