import type { Ctx } from "../context.ts";
import { isUnavailable } from "../database/database.ts";
import { updateExtended } from "./lease.sql.ts";
import type { LeaseNames } from "./lease-names.ts";
import type { QueueTable } from "./queue-table.ts";
import { noteAway } from "./sweep-queue.ts";

/** The parameters of a claim. */
export interface Wanted {
  lease: string;
  durationMs: number;
  limit: number;
  /** Only jobs that run alone; without it, only the others. */
  alone: boolean;
  /** Projects whose jobs are skipped. */
  without?: readonly string[];
}

/** Work of a queue whose jobs a process runs one after the other. */
export interface Portion<Job> {
  queue: QueueTable;
  leaseMs: number;
  limit: number;
  claim(ctx: Ctx, wanted: Wanted): Promise<Job[]>;
  /** Runs one job and ends it, or has it retried. If it throws, the job stays leased until the lease lapses. */
  work(ctx: Ctx, job: Job): Promise<void>;
  /** Releases jobs that weren't started. */
  release(ctx: Ctx, jobs: Job[]): Promise<void>;
}

interface Worker {
  names: LeaseNames;
  /** Once aborted, no other job is started. */
  closing?: AbortSignal | undefined;
}

/**
 * Claims a portion and works through it; returns how many jobs were claimed. The lease is extended during the work; once it is lost, no
 * other job is started. A job that runs alone is its own portion.
 */
export async function workPortion<Job>(ctx: Ctx, portion: Portion<Job>, worker: Worker): Promise<number> {
  const lease = worker.names.next(ctx);
  const wanted = { lease, durationMs: portion.leaseMs };
  let jobs = await portion.claim(ctx, { ...wanted, limit: 1, alone: true });
  if (jobs.length === 0) jobs = await portion.claim(ctx, { ...wanted, limit: portion.limit, alone: false });
  if (jobs.length === 0) return 0;
  const held = holdLease(ctx, portion, lease);
  const left = [...jobs];
  try {
    while (left.length > 0 && !held.isLost() && worker.closing?.aborted !== true) await portion.work(ctx, left.shift() as Job);
  } catch (error) {
    if (isUnavailable(error)) noteAway(ctx.db);
    throw error;
  } finally {
    held.release();
    // Jobs that can't be released because the database is unavailable return when their lease lapses.
    const warn = (error: unknown) => ctx.log.warn({ err: error, queue: portion.queue.name }, "jobs couldn't be returned");
    if (left.length > 0) await portion.release(ctx, left).catch(warn);
  }
  return jobs.length;
}

/** Extends a lease until it is released. */
function holdLease(
  ctx: Ctx,
  { queue, leaseMs }: Pick<Portion<never>, "queue" | "leaseMs">,
  lease: string,
): { isLost(): boolean; release(): void } {
  let until = performance.now() + leaseMs;
  let isLost = false;
  const extend = async () => {
    const startMs = performance.now();
    const extended = await ctx.transact((tx) => updateExtended(tx, queue, { leases: [lease], durationMs: leaseMs }));
    if (extended.length > 0) until = startMs + leaseMs;
    else isLost = true;
  };
  const warn = (error: unknown) => ctx.log.warn({ err: error, queue: queue.name }, "a lease couldn't be extended");
  const timer = setInterval(() => void extend().catch(warn), leaseMs / 4);
  timer.unref();
  return { isLost: () => isLost || performance.now() >= until, release: () => clearInterval(timer) };
}
