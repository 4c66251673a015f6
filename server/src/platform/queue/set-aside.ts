import type { Ctx } from "../context.ts";
import { listSetAside, type SetAsideJob, updateReleased } from "./lease.sql.ts";
import type { QueueTable } from "./queue-table.ts";

export type { SetAsideJob } from "./lease.sql.ts";

/** Jobs of a queue that were set aside for an operator, oldest first. */
export async function listSetAsideJobs(ctx: Pick<Ctx, "db">, queue: QueueTable, limit = 100): Promise<SetAsideJob[]> {
  return listSetAside(ctx.db, queue, limit);
}

/** Makes jobs that are set aside due again, as if no worker had died with them; without `jobs`, all of the queue. Returns how many. */
export function releaseJobs(ctx: Ctx, queue: QueueTable, jobs: string[] | null): Promise<number> {
  return ctx.transact((tx) => updateReleased(tx, queue, jobs));
}
