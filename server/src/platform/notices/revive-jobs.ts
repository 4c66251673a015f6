import type { Ctx } from "../context.ts";
import { lockExpired, updateRequeued } from "../queue/lease.sql.ts";
import type { QueueTable } from "../queue/queue-table.ts";
import { sweepQueue } from "../queue/sweep-queue.ts";
import { notifySetAside } from "./notify-set-aside.ts";

const atOnce = 2_000;

/** Takes jobs from lost workers: they are due again, or set aside for an operator if they crash workers. Returns how many. */
export function reviveJobs(ctx: Ctx, queue: QueueTable): Promise<number> {
  return sweepQueue(ctx, queue.name, async (tx, classify) => {
    const expired = await classify(
      await lockExpired<{ job: string }>(tx, queue, { limit: atOnce, columns: (tag) => tag`, ${queue.job(tag)} as job` }),
    );
    await updateRequeued(
      tx,
      queue,
      expired.map((one) => ({ ...one, state: one.isSetAside ? "set_aside" : "due" })),
    );
    await notifySetAside(tx, ctx, { queue: queue.name, jobs: expired.filter(({ isSetAside }) => isSetAside).map(({ job }) => job) });
    return expired.length;
  });
}
