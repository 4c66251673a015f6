import type { Ctx } from "../context.ts";
import { ownMerchantId } from "../own-project.ts";
import type { Tx } from "../sql.ts";
import { notice } from "./notice.ts";

const namedMost = 20;

/** Notifies the operators of jobs that were set aside because their workers crashed or stalled with them. */
export async function notifySetAside(tx: Tx, ctx: Ctx, given: { queue: string; jobs: string[] }): Promise<void> {
  const { queue, jobs } = given;
  if (jobs.length === 0) return;
  ctx.log.error({ queue, jobs }, "jobs are set aside: their workers crashed or stalled with them");
  await notice(tx, ctx, {
    kind: "job_set_aside",
    recipient: ownMerchantId,
    params: { queue, jobs: jobs.slice(0, namedMost), count: jobs.length },
  });
}
