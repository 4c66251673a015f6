import type { Ctx } from "../context.ts";
import { lockExpired, updateRequeued } from "../queue/lease.sql.ts";
import { beginPass } from "../queue/put-off.ts";
import type { QueueTable } from "../queue/queue-table.ts";
import { sweepQueue } from "../queue/sweep-queue.ts";
import { amongWanted } from "../queue/wanted.sql.ts";
import { writeEach } from "../queue/write-each.ts";
import { notifySetAside } from "./notify-set-aside.ts";

const atOnce = 2_000;

/**
 * Takes jobs from lost workers, as the work of a task: they are due again, or set aside for an operator if they crash workers. Returns how
 * many.
 */
export function reviveJobs(ctx: Ctx, queue: QueueTable, task: string): Promise<number> {
  return sweepQueue(ctx, queue.name, async (tx, classify) => {
    const pass = beginPass(ctx, { task, kind: "job" });
    const locked = await lockExpired<{ job: string }>(tx, queue, {
      limit: atOnce,
      among: (tag) => amongWanted(tag, queue.job(tag), { limit: atOnce, without: pass.waiting }),
      columns: (tag) => tag`, ${queue.job(tag)} as job`,
    });
    const expired = await classify(locked);
    const written = await writeEach(tx, pass, {
      rows: expired,
      nameOf: ({ job }) => job,
      async write(inner, jobs) {
        await updateRequeued(
          inner,
          queue,
          jobs.map((one) => ({ ...one, state: one.isSetAside ? "set_aside" : "due" })),
        );
        return jobs;
      },
    });
    const done = written.flat();
    await notifySetAside(tx, ctx, { queue: queue.name, jobs: done.filter(({ isSetAside }) => isSetAside).map(({ job }) => job) });
    if (locked.length < atOnce) pass.end();
    return done.length;
  });
}
