import { type Db, shareOf } from "#platform/index.ts";
import { findToleranceOfProject } from "./sql.ts";

/** How much of an amount may be missing without a confirmation by the project's merchant, in minor units. */
export async function findShortfallTolerance(db: Db, given: { project_id: string; amount_minor: number }): Promise<number> {
  return shareOf(given.amount_minor, await findToleranceOfProject(db, given.project_id));
}
