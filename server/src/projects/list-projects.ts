import type { Db } from "#platform/index.ts";
import { listProjectRows, type ProjectRow } from "./sql.ts";

/** All projects of a merchant, newest first. */
export function listProjects(db: Db, merchantId: string): Promise<ProjectRow[]> {
  return listProjectRows(db, merchantId);
}
