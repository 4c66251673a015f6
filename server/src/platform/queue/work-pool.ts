import type { Ctx } from "../context.ts";
import { onHint } from "../database/hints.ts";
import { createShares, type Shares } from "../limits/shares.ts";
import { type Alone, createAlone } from "./alone.ts";
import { updateExtended } from "./lease.sql.ts";
import { createLeaseNames, type LeaseNames } from "./lease-names.ts";
import type { QueueTable } from "./queue-table.ts";
import type { Wanted } from "./work-portion.ts";

interface PooledJob {
  lease: string;
  project_id: string;
}

/** Work of a queue of which one process does several jobs at once, because each waits for somebody else most of the time. */
export interface Pooled<Job extends PooledJob> {
  queue: QueueTable;
  leaseMs: number;
  /** Jobs at once. As many again are kept for other projects than those that have them: whoever one project waits for, the others' jobs go on. */
  most: number;
  /** Hint of new work. */
  topic: string;
  claim(ctx: Ctx, wanted: Wanted): Promise<Job[]>;
  /** Does one job and ends it, or has it tried again. What it throws leaves the job to its lease. */
  work(ctx: Ctx, job: Job): Promise<void>;
}

/** One process's part of a queue. */
export interface WorkPool {
  /** Begins what is due; doesn't wait for it. Answers how many jobs were begun where more may be due. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Waits for the jobs under way. */
  idle(): Promise<void>;
  /** Waits some seconds for the jobs under way; what is not done then comes back with its lease. */
  finish(ctx: Ctx): Promise<void>;
}

const drainMs = 6_000;
/** How often it is looked for other projects' jobs where there were none. */
const othersEveryMs = 1_000;

interface Desk<Job extends PooledJob> {
  pooled: Pooled<Job>;
  underWay: Map<Promise<void>, string>;
  shares: Shares;
  /** Before that nothing is kept for others that had nothing when it was last looked. */
  othersAfter: number;
  names: LeaseNames;
  alone: Alone;
  wake(): void;
}

export function createWorkPool<Job extends PooledJob>(pooled: Pooled<Job>): WorkPool {
  const shares = createShares({ usual: pooled.most, kept: pooled.most });
  const desk: Desk<Job> = { pooled, underWay: new Map(), shares, othersAfter: 0, names: createLeaseNames(), alone: createAlone(), wake: () => {} };
  let timer: NodeJS.Timeout | null = null;
  const idle = async () => {
    while (desk.underWay.size > 0) await Promise.all(desk.underWay.keys());
  };
  return {
    async run(ctx) {
      const jobs = await claimJobs(ctx, desk);
      for (const job of jobs) begin(ctx, desk, job);
      if (desk.underWay.size > 0) timer ??= setInterval(() => void extend(ctx, desk), pooled.leaseMs / 4).unref();
      return roomLeft(desk) > 0 ? jobs.length : 0;
    },
    listen(ctx, wake) {
      desk.wake = wake;
      return onHint(ctx.db, pooled.topic, wake);
    },
    idle,
    async finish() {
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([idle(), patience]);
      if (timer !== null) clearInterval(timer);
    },
  };
}

/**
 * How many jobs may be begun at once. Where all that is there for anybody is taken, one after the other, since each changes whose turn it is; and where the others had
 * none, not again for a while: a claim has to pass over everything that is due of those that are full.
 */
function roomLeft({ pooled, underWay, shares, othersAfter }: Pick<Desk<never>, "underWay" | "shares" | "othersAfter"> & { pooled: { most: number } }): number {
  if (underWay.size < pooled.most) return pooled.most - underWay.size;
  return performance.now() < othersAfter ? 0 : Math.min(1, shares.leftOf(""));
}

/** Now and then one that goes alone, and as many others as there is room for. */
async function claimJobs<Job extends PooledJob>(ctx: Ctx, desk: Desk<Job>): Promise<Job[]> {
  const { pooled, underWay, names, alone, shares } = desk;
  const free = roomLeft(desk);
  if (free <= 0) return [];
  const isForOthers = underWay.size >= pooled.most;
  const wanted = () => ({ lease: names.next(ctx), forMs: pooled.leaseMs, without: shares.full() });
  const suspects = alone.looks() ? await pooled.claim(ctx, { ...wanted(), limit: 1, alone: true }) : [];
  for (const { lease } of suspects) alone.took(lease);
  const others = free > suspects.length ? await pooled.claim(ctx, { ...wanted(), limit: free - suspects.length, alone: false }) : [];
  if (isForOthers && suspects.length + others.length === 0) desk.othersAfter = performance.now() + othersEveryMs;
  return [...suspects, ...others];
}

function begin<Job extends PooledJob>(ctx: Ctx, desk: Desk<Job>, job: Job): void {
  const warn = (err: unknown) => ctx.log.error({ err, queue: desk.pooled.queue.name }, "a job failed; its lease will lapse");
  desk.shares.change(job.project_id, 1);
  const doing = desk.pooled
    .work(ctx, job)
    .catch(warn)
    .finally(() => {
      desk.underWay.delete(doing);
      desk.shares.change(job.project_id, -1);
      desk.alone.ended(job.lease);
      desk.wake();
    });
  desk.underWay.set(doing, job.lease);
}

async function extend<Job extends PooledJob>(ctx: Ctx, { pooled, underWay }: Desk<Job>): Promise<void> {
  const leases = [...new Set(underWay.values())];
  if (leases.length === 0) return;
  const extending = ctx.transact((tx) => updateExtended(tx, pooled.queue, { leases, forMs: pooled.leaseMs }));
  await extending.catch((err: unknown) => ctx.log.warn({ err, queue: pooled.queue.name }, "leases could not be lengthened"));
}
