import type { Ctx } from "../context.ts";
import { isUnavailable } from "../database/database.ts";
import { onHint } from "../database/hints.ts";
import { createFairShares, type FairShares } from "../rate-limits/fair-shares.ts";
import { type Alone, createAlone } from "./alone.ts";
import { updateExtended, updateGivenUp, updateHandedOver } from "./lease.sql.ts";
import { createLeaseNames, type LeaseNames } from "./lease-names.ts";
import type { QueueTable } from "./queue-table.ts";
import { noteAway } from "./sweep-queue.ts";
import type { Wanted } from "./work-portion.ts";

interface PooledJob {
  lease: string;
  project_id: string;
}

/** Work of a queue whose jobs a process runs concurrently, because each mostly waits for a remote server. */
export interface Pooled<Job extends PooledJob> {
  queue: QueueTable;
  leaseMs: number;
  /** Concurrent jobs. As many again are reserved for other projects: if one project's servers are slow, the others' jobs continue. */
  most: number;
  /** Hint of new work. */
  topic: string;
  claim(ctx: Ctx, wanted: Wanted): Promise<Job[]>;
  /** The text of the queue's `job` for a claimed job. */
  jobOf(job: Job): string;
  /** Runs one job and ends it, or has it retried. If it throws, the job is due again once its lease would have lapsed. */
  work(ctx: Ctx, job: Job): Promise<void>;
}

/** One process's part of a queue. */
export interface WorkPool {
  /** Starts due jobs without waiting for them. Returns how many were started if more may be due. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /** Waits for the jobs in progress. */
  idle(): Promise<void>;
  /** Waits some seconds for the jobs in progress; unfinished ones are due again for other processes. */
  finish(ctx: Ctx): Promise<void>;
}

const drainMs = 6_000;
/** How often to look for other projects' jobs if there were none. */
const othersEveryMs = 1_000;

interface PoolState<Job extends PooledJob> {
  pooled: Pooled<Job>;
  inProgress: Map<Promise<void>, string>;
  fairShares: FairShares;
  /** Until then, nothing is reserved for others, because they had nothing at the last check. */
  othersAfter: number;
  names: LeaseNames;
  alone: Alone;
  wake(): void;
}

export function createWorkPool<Job extends PooledJob>(pooled: Pooled<Job>): WorkPool {
  const fairShares = createFairShares({ usual: pooled.most, reserved: pooled.most });
  const state: PoolState<Job> = {
    pooled,
    inProgress: new Map(),
    fairShares,
    othersAfter: 0,
    names: createLeaseNames(),
    alone: createAlone(),
    wake: () => {},
  };
  let timer: NodeJS.Timeout | null = null;
  const idle = async () => {
    while (state.inProgress.size > 0) await Promise.all(state.inProgress.keys());
  };
  return {
    async run(ctx) {
      const jobs = await claimJobs(ctx, state);
      for (const job of jobs) begin(ctx, state, job);
      if (state.inProgress.size > 0) timer ??= setInterval(() => void extend(ctx, state), pooled.leaseMs / 4).unref();
      return roomLeft(state) > 0 ? jobs.length : 0;
    },
    listen(ctx, wake) {
      state.wake = wake;
      return onHint(ctx.db, pooled.topic, wake);
    },
    idle,
    async finish(ctx) {
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, drainMs).unref());
      await Promise.race([idle(), patience]);
      if (timer !== null) clearInterval(timer);
      if (state.inProgress.size > 0) await handOver(ctx, state);
    },
  };
}

/**
 * How many jobs can be started at once. If all free slots are used, one after the other, because each changes whose turn it is; and if the
 * others had none, not again for a while, because a claim has to skip everything due of the projects at their limit.
 */
function roomLeft({
  pooled,
  inProgress,
  fairShares,
  othersAfter,
}: Pick<PoolState<never>, "inProgress" | "fairShares" | "othersAfter"> & { pooled: { most: number } }): number {
  if (inProgress.size < pooled.most) return pooled.most - inProgress.size;
  return performance.now() < othersAfter ? 0 : Math.min(1, fairShares.leftOf(""));
}

/** Occasionally one that runs alone, and as many others as there is room for. */
async function claimJobs<Job extends PooledJob>(ctx: Ctx, state: PoolState<Job>): Promise<Job[]> {
  const { pooled, inProgress, names, alone, fairShares } = state;
  const free = roomLeft(state);
  if (free <= 0) return [];
  const isForOthers = inProgress.size >= pooled.most;
  const wanted = () => ({ lease: names.next(ctx), durationMs: pooled.leaseMs, without: fairShares.full() });
  const suspects = alone.looks() ? await pooled.claim(ctx, { ...wanted(), limit: 1, alone: true }) : [];
  for (const { lease } of suspects) alone.took(lease);
  const others = free > suspects.length ? await pooled.claim(ctx, { ...wanted(), limit: free - suspects.length, alone: false }) : [];
  if (isForOthers && suspects.length + others.length === 0) state.othersAfter = performance.now() + othersEveryMs;
  return [...suspects, ...others];
}

function begin<Job extends PooledJob>(ctx: Ctx, state: PoolState<Job>, job: Job): void {
  state.fairShares.change(job.project_id, 1);
  const doing = state.pooled
    .work(ctx, job)
    .catch((err: unknown) => giveUp(ctx, state.pooled, { job, err }))
    .finally(() => {
      state.inProgress.delete(doing);
      state.fairShares.change(job.project_id, -1);
      state.alone.ended(job.lease);
      state.wake();
    });
  state.inProgress.set(doing, job.lease);
}

/** A job that failed for a reason of its own is no death of a worker, after two of which it would be set aside. */
async function giveUp<Job extends PooledJob>(ctx: Ctx, pooled: Pooled<Job>, { job, err }: { job: Job; err: unknown }): Promise<void> {
  const { queue, leaseMs } = pooled;
  ctx.log.error({ err, queue: queue.name }, "a job failed; it will be tried again");
  if (isUnavailable(err)) noteAway(ctx.db);
  const given = { job: pooled.jobOf(job), lease: job.lease, waitMs: leaseMs };
  await ctx.transact((tx) => updateGivenUp(tx, queue, given)).catch((error: unknown) => lapses(ctx, queue, error));
}

async function handOver<Job extends PooledJob>(ctx: Ctx, { pooled, names }: PoolState<Job>): Promise<void> {
  const returning = ctx.transact((tx) => updateHandedOver(tx, pooled.queue, names.holder(ctx)));
  await returning.catch((error: unknown) => lapses(ctx, pooled.queue, error));
}

function lapses(ctx: Ctx, queue: QueueTable, err: unknown): void {
  if (isUnavailable(err)) noteAway(ctx.db);
  ctx.log.warn({ err, queue: queue.name }, "jobs couldn't be returned; their leases will expire");
}

async function extend<Job extends PooledJob>(ctx: Ctx, { pooled, inProgress }: PoolState<Job>): Promise<void> {
  const leases = [...new Set(inProgress.values())];
  if (leases.length === 0) return;
  const extending = ctx.transact((tx) => updateExtended(tx, pooled.queue, { leases, durationMs: pooled.leaseMs }));
  await extending.catch((err: unknown) => ctx.log.warn({ err, queue: pooled.queue.name }, "leases couldn't be extended"));
}
