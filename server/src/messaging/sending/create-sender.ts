import {
  type Ctx,
  createAlone,
  createLeaseNames,
  isOwnFault,
  onHint,
  type QueueTable,
  storable,
  type Tx,
  updateExtended,
  updatePlanning,
} from "#platform/index.ts";
import { claimName } from "./claim-name.ts";
import { createCoalescer } from "./coalesce.ts";
import type { Room, Rounds } from "./rounds.ts";
import { type Claimed, createSendPool, type PoolOptions, type SendPool } from "./send-pool.ts";

/** One process's share of sending a channel's messages: claims, sends and stores the results. */
export interface Sender {
  /** Stores results and starts due jobs without waiting for responses. */
  run(ctx: Ctx): Promise<number>;
  listen(ctx: Ctx, wake: () => void): () => void;
  /**
   * Waits some seconds for sends in progress, then stops them. Messages that no receiver got in full are released; the outcome of the rest
   * is unknown, so they are retried by the schedule.
   */
  finish(ctx: Ctx): Promise<void>;
}

/** A claim of one environment's messages. */
export interface Claiming extends Room {
  livemode: boolean;
  lease: string;
  leaseMs: number;
}

/** How a channel sends. */
export interface SenderPort<Job extends Claimed, Outcome> {
  readonly queue: QueueTable;
  /** The hint that messages of the channel are due. */
  readonly hint: string;
  /** The transports; an environment without one keeps its messages queued. */
  readonly routes: readonly Pick<PoolOptions<Job, Outcome>, "livemode" | "capacity" | "isOpen" | "send">[];
  readonly leaseMs: number;
  /** Claims due jobs, selected by `chooseNext`. */
  claim(tx: Tx, ctx: Ctx, given: { rounds: Rounds; claiming: Claiming }): Promise<Job[]>;
  /** Claims one of those that run alone, if there is one and room for it. */
  claimAlone(tx: Tx, ctx: Ctx, claiming: Claiming): Promise<Job[]>;
  /** Stores the results of many sends in one transaction. Repeating it changes nothing, because a lease is gone after the first time. */
  record(tx: Tx, ctx: Ctx, ended: readonly Ended<Job, Outcome>[]): Promise<void>;
  /** Before the first LIVE sends of a round. */
  prepare?(ctx: Ctx): Promise<void>;
  readonly save?: PoolOptions<Job, Outcome>["save"];
}

/** The result of one claimed job. `outcome` null: it wasn't started, and another worker can have it right away. */
export interface Ended<Job, Outcome> {
  job: Job;
  outcome: Outcome | null;
}

export interface SenderTimes {
  /** How long `finish` waits for sends in progress. */
  drainMs?: number | undefined;
  /** How long after its start a process takes the first of those that run alone. */
  aloneAfterMs?: number | undefined;
}

const usualDrainMs = 6_000;
const stopMs = 2_000;
const extendEveryMs = 15_000;
/** The minimum remaining lease when a send begins: until the next extension, plus a margin. */
const leastMs = 20_000;
/**
 * A round stores this many results, or those that arrive within this time after the first. As many jobs are claimed ahead as are in
 * progress, so that no slot waits for it.
 */
const coalesced = { most: 96, waitMs: 30 };

/** Results wait in memory for the next transaction, so that many of them share one: the busier, the larger the groups. */
export function createSender<Job extends Claimed, Outcome>(
  port: SenderPort<Job, Outcome>,
  { drainMs = usualDrainMs, aloneAfterMs }: SenderTimes = {},
): Sender {
  let ended: Ended<Job, Outcome>[] = [];
  let extendedAt = 0;
  let wakeUp = () => {};
  const [names, alone] = [createLeaseNames(), createAlone(aloneAfterMs)];
  const results = createCoalescer({ ...coalesced, isBusy: () => pools.some((pool) => pool.isBusy()), run: () => wakeUp() });
  const pools = poolsOf(port, (job, outcome) => {
    alone.ended(job.name);
    ended.push({ job, outcome });
    results.note(ended.length);
  });

  const record = async (ctx: Ctx, claimFor: SendPool<Job>[]) => {
    results.cancel();
    const endings = ended;
    ended = [];
    const isTime = ctx.now().getTime() - extendedAt >= Math.min(extendEveryMs, port.leaseMs / 3);
    const extended = isTime ? pools.flatMap((pool) => pool.held()) : [];
    try {
      const looks = claimFor.length > 0 && alone.looks();
      const done = await writeIsolated(ctx, port, { endings, extended, claimFor, looks, lease: names.next(ctx) });
      if (done.suspect !== undefined) alone.took(done.suspect.name);
      if (isTime) extendedAt = ctx.now().getTime();
      if (isTime) for (const pool of pools) pool.noteExtended(done.extended, done.until);
      return done.claimed;
    } catch (error) {
      // Nothing is lost: repeating it changes nothing, because the lease is gone after the first time.
      ended = [...endings, ...ended];
      throw error;
    }
  };

  return {
    async run(ctx) {
      for (const pool of pools) pool.abortExpired(ctx.now());
      const wanting = pools.filter((pool) => pool.wants());
      await startClaimed(ctx, port, await record(ctx, wanting));
      return 0;
    },
    listen(ctx, wake) {
      wakeUp = wake;
      return onHint(ctx.db, port.hint, () => results.note(ended.length));
    },
    finish: (ctx) => finish(pools, { drainMs, record: () => (ended.length > 0 ? record(ctx, []) : null) }),
  };
}

function poolsOf<Job extends Claimed, Outcome>(
  port: SenderPort<Job, Outcome>,
  onEnded: PoolOptions<Job, Outcome>["onEnded"],
): SendPool<Job>[] {
  const { leaseMs, save } = port;
  const shared = { leastMs: Math.min(leastMs, leaseMs / 2), ...(save === undefined ? {} : { save }), onEnded };
  return port.routes.map((route) =>
    // Texts of remote servers: one that can't be stored must not cost the outcome.
    createSendPool({ ...route, ...shared, send: async (...given) => storable(await route.send(...given)) }),
  );
}

async function startClaimed<Job extends Claimed, Outcome>(
  ctx: Ctx,
  port: SenderPort<Job, Outcome>,
  claimed: readonly [SendPool<Job>, Job[]][],
): Promise<void> {
  if (claimed.some(([pool, jobs]) => pool.livemode && jobs.length > 0)) await port.prepare?.(ctx);
  for (const [pool, jobs] of claimed) pool.take(ctx, jobs);
}

async function finish<Job extends Claimed>(
  pools: SendPool<Job>[],
  { drainMs, record }: { drainMs: number; record: () => Promise<unknown> | null },
): Promise<void> {
  await Promise.race([Promise.all(pools.map((pool) => pool.close())), pause(drainMs)]);
  // A transport that doesn't stop keeps its leases, which lapse.
  await Promise.race([Promise.all(pools.map((pool) => pool.release())), pause(stopMs)]);
  await record();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

/**
 * Stores results one by one and removes them from the list, so that one that cannot be stored, because of something in a remote server's
 * response, holds up no other result or lease. That one is abandoned: its own lease expires, and it is handled as if its worker had been
 * lost.
 */
async function recordApart<Job extends Claimed, Outcome>(
  ctx: Ctx,
  port: SenderPort<Job, Outcome>,
  endings: Ended<Job, Outcome>[],
): Promise<void> {
  for (let [first] = endings; first !== undefined; [first] = endings) {
    const one = first;
    await ctx
      .transact((tx) => port.record(tx, ctx, [one]))
      .catch((err: unknown) => {
        if (!isOwnFault(err)) throw err;
        ctx.log.error({ err, queue: port.queue.name, job: one.job.name }, "the outcome of a message or a call can't be recorded");
      });
    endings.shift();
  }
}

/** A round in which one result that cannot be stored doesn't fail the others. Stored results are removed from `endings`. */
async function writeIsolated<Job extends Claimed, Outcome>(ctx: Ctx, port: SenderPort<Job, Outcome>, round: Round<Job, Outcome>) {
  return writeRound(ctx, port, round).catch(async (error: unknown) => {
    if (round.endings.length === 0 || !isOwnFault(error)) throw error;
    await recordApart(ctx, port, round.endings);
    return writeRound(ctx, port, round);
  });
}

interface Round<Job extends Claimed, Outcome> {
  endings: Ended<Job, Outcome>[];
  /** Whose leases are to be extended. */
  extended: Job[];
  claimFor: SendPool<Job>[];
  /** Whether to claim one of the jobs that run alone, too. */
  looks: boolean;
  lease: string;
}

async function writeRound<Job extends Claimed, Outcome>(ctx: Ctx, port: SenderPort<Job, Outcome>, round: Round<Job, Outcome>) {
  const { leaseMs, queue } = port;
  const until = new Date(ctx.now().getTime() + leaseMs);
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    await port.record(tx, ctx, round.endings);
    const leases = [...new Set(round.extended.map(({ lease }) => lease))];
    const extended = leases.length === 0 ? [] : await updateExtended(tx, queue, { leases, durationMs: leaseMs });
    const claimed: [SendPool<Job>, Job[]][] = [];
    let suspect: Job | undefined;
    for (const pool of round.claimFor) {
      const claiming = { livemode: pool.livemode, lease: round.lease, leaseMs, ...pool.room() };
      if (round.looks && suspect === undefined) [suspect] = await port.claimAlone(tx, ctx, claiming);
      const due = await port.claim(tx, ctx, { rounds: pool.rounds, claiming });
      claimed.push([pool, suspect?.livemode === pool.livemode ? [suspect, ...due] : due]);
    }
    return { until, claimed, suspect, extended: new Set(extended.map(claimName)) };
  });
}
