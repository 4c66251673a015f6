import type { Ctx } from "../context.ts";
import { isUnavailable } from "../database/database.ts";
import { updatePlanning } from "../database/planning.sql.ts";
import type { Db, Tx } from "../sql.ts";
import { countDeaths, deleteOldDeaths, insertDeaths } from "./deaths.sql.ts";
import { aloneFrom } from "./lease.sql.ts";
import { holderOf } from "./lease-names.ts";

/** Period in which deaths of workers are considered together. */
const recentMs = 300_000;
const retentionMs = 86_400_000;
/**
 * From this many deaths on, a job is set aside that was involved in a quarter of all: it isn't the only job that crashes workers, or not
 * the only reason.
 */
const guiltyFrom = 4;
/** However many workers are killed for other reasons, no job is involved in this many by chance: in all but the first two it ran alone. */
const surelyFrom = 8;
/** How many of a lost worker's jobs return per second, so that few of them are in one worker at the same time. */
const perSecond = 50;
/** Longer than any lease: leases that expire this soon after the database was unavailable expired because of that. */
const outageMs = 90_000;
const awayAt = new WeakMap<Db, number>();

interface ExpiredLease {
  lease: string;
  deaths: number;
}

interface Verdict {
  deaths: number;
  isSetAside: boolean;
  wait_ms: number;
}

/** Decides about jobs whose leases have expired. */
type ClassifyExpired = <Job extends ExpiredLease>(expired: readonly Job[]) => Promise<(Job & Verdict)[]>;

/** Records that the database was unreachable: leases that expire soon after say nothing about their jobs. */
export function noteAway(db: Db): void {
  awayAt.set(db, performance.now());
}

/** Takes a queue's jobs from lost workers, in one transaction: `work` locks them, has them judged, and writes the result. */
export async function sweepQueue<Done>(ctx: Ctx, queue: string, work: (tx: Tx, classify: ClassifyExpired) => Promise<Done>): Promise<Done> {
  try {
    return await ctx.transact(async (tx) => {
      await updatePlanning(tx);
      const wasAway = performance.now() - (awayAt.get(ctx.db) ?? Number.NEGATIVE_INFINITY) < outageMs;
      return work(tx, async (expired) => (wasAway ? expired.map(acquit) : classifyDeaths(tx, queue, expired)));
    });
  } catch (error) {
    if (isUnavailable(error)) noteAway(ctx.db);
    throw error;
  }
}

/**
 * If leases of several workers expire together, the database was unavailable, and no job is suspected. After one death a job runs again
 * with others, after the second alone; it is set aside if no other of its worker's jobs was involved in as many deaths, and every recently
 * lost worker held it. If workers are lost for other reasons too, the fourth death decides, or the eighth if they are killed all the time.
 */
async function classifyDeaths<Job extends ExpiredLease>(tx: Tx, queue: string, expired: readonly Job[]): Promise<(Job & Verdict)[]> {
  const byHolder = Map.groupBy(expired, ({ lease }) => holderOf(lease));
  byHolder.delete(null);
  const [[holder, own] = [null, []]] = byHolder;
  if (holder === null || byHolder.size > 1) return expired.map(acquit);
  await insertDeaths(tx, queue, [{ holder, jobs: own.length }]);
  const recent = await countDeaths(tx, queue, recentMs);
  const classified = own.map((job, place) => {
    const deaths = Math.min(job.deaths + 1, surelyFrom);
    const isOnly = own.filter((other) => other.deaths >= job.deaths).length === 1;
    const isGuilty = deaths >= surelyFrom || (deaths >= guiltyFrom && deaths * 4 >= recent);
    const isSetAside = isGuilty || (deaths >= aloneFrom && isOnly && deaths >= recent);
    return { ...job, deaths, isSetAside, wait_ms: Math.floor(place / perSecond) * 1_000 };
  });
  await deleteOldDeaths(tx, queue, retentionMs);
  return [...classified, ...expired.filter(({ lease }) => holderOf(lease) === null).map(acquit)];
}

function acquit<Job extends ExpiredLease>(job: Job): Job & Verdict {
  return { ...job, isSetAside: false, wait_ms: 0 };
}
