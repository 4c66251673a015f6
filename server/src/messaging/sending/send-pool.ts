import type { Ctx } from "#platform/index.ts";
import { countJob, newRounds, type Partition, type Room, type Rounds, roomLeft } from "./rounds.ts";
import { type Capacity, createSlots, takeNext } from "./slots.ts";

/** A job that this worker has claimed and may send now. */
export interface Claimed extends Partition {
  livemode: boolean;
  /** Identifies the claim: the job and its lease. */
  name: string;
  lease: string;
  /** Its memory while it is in progress. */
  bytes: number;
  /** By this process's clock. */
  leaseUntil: Date;
}

/** A job in progress, as its send function sees it. */
export interface Attempt {
  /** Fires when its lease is lost or the process stops: by then another worker may have the job. */
  signal: AbortSignal;
  /** Called when the transport accepts it: from then on it can no longer be released as if it had not been attempted. */
  onAccepted(): void;
}

/** One environment's sending: the jobs that this process has claimed, and those in progress. */
export interface SendPool<Job extends Claimed> {
  readonly livemode: boolean;
  readonly rounds: Rounds;
  /** How many more may be claimed, and how many of one partition. */
  room(): Room;
  /** Takes over claimed jobs and starts as many as allowed. */
  take(ctx: Ctx, claimed: Job[]): void;
  held(): Job[];
  /** Something is in progress, so a result will come. */
  isBusy(): boolean;
  /**
   * Whether to claim now: while all slots are taken and more is in hand, a large claim at intervals costs the database less than many small
   * ones.
   */
  wants(): boolean;
  /** After an extension: a lease that wasn't extended belongs to another worker, so its send stops. */
  noteExtended(names: ReadonlySet<string>, until: Date): void;
  /** While the database is away leases cannot be extended; a send must not outlive its own. */
  abortExpired(now: Date): void;
  /** Starts no more and releases jobs that weren't started; resolves when nothing is in progress. */
  close(): Promise<unknown>;
  /** After `close`: releases jobs that the transport doesn't have yet, and stops the rest. Resolves when they have ended. */
  release(): Promise<unknown>;
}

export interface PoolOptions<Job extends Claimed, Outcome> {
  livemode: boolean;
  capacity: Capacity;
  /** The minimum remaining lease when a send begins: until the next extension, plus a margin. */
  leastMs: number;
  /** Whether anything can be sent now; nothing more is claimed while it is false. Always true if absent. */
  isOpen?(): boolean;
  /** Never throws. null: nothing was attempted. */
  send(ctx: Ctx, job: Job, attempt: Attempt): Promise<Outcome | null>;
  /** Stores at once what must not be lost, before the slot is released: this bounds what a crash could send twice. */
  save?(ctx: Ctx, job: Job, outcome: Outcome): Promise<void>;
  /** Called once per claim, when no part of it is in progress any more. null: another worker may have it at once. */
  onEnded(job: Job, outcome: Outcome | null): void;
}

interface InProgress<Job> {
  job: Job;
  abort: AbortController;
  /** The transport has accepted it. */
  isOut: boolean;
  done: Promise<void>;
}

const claimEveryMs = 50;

/**
 * How many jobs are in progress or claimed ahead, so that no slot waits for the database. A partition can have three quarters of them; if
 * none are claimed ahead, all.
 */
function claimedAtOnce({ concurrency, reserved = 0, ahead = concurrency }: Capacity): {
  usual: number;
  reserved: number;
  partitionMax: number;
} {
  if (ahead === 0) return { usual: concurrency, reserved, partitionMax: concurrency };
  const usual = concurrency + ahead;
  return { usual, reserved: reserved * 2, partitionMax: Math.ceil(usual * 0.75) };
}

/** What one process has claimed, started and not yet completed. */
export function createSendPool<Job extends Claimed, Outcome>(options: PoolOptions<Job, Outcome>): SendPool<Job> {
  const { livemode, capacity, leastMs } = options;
  const { usual, reserved, partitionMax } = claimedAtOnce(capacity);
  const [rounds, slots] = [newRounds({ usual, reserved }), createSlots(capacity)];
  const [waiting, inProgress]: [Job[], Set<InProgress<Job>>] = [[], new Set()];
  let [closing, claimedAt] = [false, Number.NEGATIVE_INFINITY];
  const end = (job: Job, outcome: Outcome | null) => {
    countJob(rounds, job, -1);
    options.onEnded(job, outcome);
  };
  const begin = (ctx: Ctx, job: Job) => {
    const one: InProgress<Job> = { job, abort: new AbortController(), isOut: false, done: Promise.resolve() };
    inProgress.add(one);
    slots.take(job);
    one.done = options.send(ctx, job, { signal: one.abort.signal, onAccepted: () => void (one.isOut = true) }).then(async (outcome) => {
      if (outcome !== null) await options.save?.(ctx, job, outcome);
      if (!inProgress.delete(one)) return;
      slots.free(job);
      end(job, outcome);
      pump(ctx);
    });
  };
  const pump = (ctx: Ctx) => {
    for (let next = takeNext(waiting, slots); next !== undefined; next = takeNext(waiting, slots))
      if (next.leaseUntil.getTime() - ctx.now().getTime() < leastMs) end(next, null);
      else begin(ctx, next);
  };
  return {
    livemode,
    rounds,
    room: () => ({ room: roomLeft(rounds, usual), partitionMax }),
    wants: () => (options.isOpen?.() ?? true) && (waiting.length === 0 || slots.isOpen() || performance.now() - claimedAt >= claimEveryMs),
    take(ctx, claimed) {
      claimedAt = performance.now();
      for (const job of claimed) countJob(rounds, job, 1);
      waiting.push(...claimed);
      if (!closing) pump(ctx);
    },
    isBusy: () => inProgress.size > 0,
    held: () => [...inProgress].map(({ job }) => job).concat(waiting),
    noteExtended: (names, until) => noteExtended({ inProgress, waiting }, { names, until }),
    abortExpired: (now) => inProgress.forEach(({ job, abort }) => job.leaseUntil <= now && abort.abort()),
    close() {
      closing = true;
      for (const job of waiting.splice(0)) end(job, null);
      return Promise.all([...inProgress].map(({ done }) => done));
    },
    release: () => releaseAll(inProgress, (job) => end(job, null)),
  };
}

function releaseAll<Job>(inProgress: Set<InProgress<Job>>, end: (job: Job) => void): Promise<unknown> {
  for (const one of [...inProgress].filter(({ isOut }) => !isOut)) {
    inProgress.delete(one);
    one.abort.abort();
    end(one.job);
  }
  for (const { abort } of inProgress) abort.abort();
  return Promise.all([...inProgress].map(({ done }) => done));
}

function noteExtended<Job extends Claimed>(
  held: { inProgress: Set<InProgress<Job>>; waiting: Job[] },
  { names, until }: { names: ReadonlySet<string>; until: Date },
): void {
  for (const { job, abort } of held.inProgress) {
    if (names.has(job.name)) job.leaseUntil = until;
    else abort.abort();
  }
  for (const job of held.waiting) if (names.has(job.name)) job.leaseUntil = until;
}
