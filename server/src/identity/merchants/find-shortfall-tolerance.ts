import { type Db, shareOf } from "#platform/index.ts";
import { findToleranceOfProject } from "./sql.ts";

/** What may be missing of an amount before the project's merchant wants it confirmed, in minor units. */
export async function findShortfallTolerance(db: Db, given: { project_id: string; amount_minor: number }): Promise<number> {
  return shareOf(given.amount_minor, await findToleranceOfProject(db, given.project_id));
}
