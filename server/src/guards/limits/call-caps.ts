import type { Ctx, Tx } from "#platform/index.ts";
import { capsOf } from "./find-limits.ts";
import { listProjectCaps } from "./limits.sql.ts";

/** The limit of concurrent LIVE calls of some projects. */
export async function listCallsAtOnce(
  tx: Tx,
  { guards }: Pick<Ctx, "guards">,
  projects: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listProjectCaps(tx, projects);
  return new Map(rows.map((row) => [row.project_id, capsOf({ guards }, row).calls_at_once]));
}
