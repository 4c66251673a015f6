import type { Ctx } from "../context.ts";
import { isUnavailable } from "../database/database.ts";
import { updatePlanning } from "../database/planning.sql.ts";
import type { Db, Tx } from "../sql.ts";
import { countDeaths, deleteOldDeaths, insertDeaths } from "./deaths.sql.ts";
import { aloneFrom } from "./lease.sql.ts";
import { holderOf } from "./lease-names.ts";

/** Deaths of workers that are looked at together. */
const recentMs = 300_000;
const keptMs = 86_400_000;
/** From so many deaths on a job is set aside that was at a quarter of all: it is not the only one that kills, or not the only reason. */
const guiltyFrom = 4;
/** However many workers are killed for other reasons, no job is in the hands of so many by chance: all but the first two had it alone. */
const surelyFrom = 8;
/** A lost worker's jobs come back so many a second, so that few of them are in one worker's hands at the same time. */
const perSecond = 50;
/** Longer than any lease: what lapsed so shortly after the database was away lapsed because of that. */
const outageMs = 90_000;
const awayAt = new WeakMap<Db, number>();

interface Lapsed {
  lease: string;
  deaths: number;
}

interface Verdict {
  deaths: number;
  isSetAside: boolean;
  wait_ms: number;
}

/** Decides what becomes of jobs whose leases have lapsed. */
type Judge = <Job extends Lapsed>(lapsed: readonly Job[]) => Promise<(Job & Verdict)[]>;

/** Notes that the database could not be reached: leases that lapse soon after say nothing of their jobs. */
export function noteAway(db: Db): void {
  awayAt.set(db, performance.now());
}

/** Takes a queue's jobs from workers that were lost, in one transaction: `work` holds them, has them judged, and writes what becomes of them. */
export async function sweepQueue<Done>(ctx: Ctx, queue: string, work: (tx: Tx, judge: Judge) => Promise<Done>): Promise<Done> {
  try {
    return await ctx.transact(async (tx) => {
      await updatePlanning(tx);
      const wasAway = performance.now() - (awayAt.get(ctx.db) ?? Number.NEGATIVE_INFINITY) < outageMs;
      return work(tx, async (lapsed) => (wasAway ? lapsed.map(acquit) : judgeDeaths(tx, queue, lapsed)));
    });
  } catch (error) {
    if (isUnavailable(error)) noteAway(ctx.db);
    throw error;
  }
}

/**
 * Leases of several workers that lapse together say that the database was away, and accuse no job. After one death a job goes again among others, after
 * the second alone; it is set aside when no other of its worker's jobs had been at as many deaths, and every worker that was lost of late held it. Where
 * workers are lost for other reasons too, the fourth death decides, or the eighth when they are killed all the time.
 */
async function judgeDeaths<Job extends Lapsed>(tx: Tx, queue: string, lapsed: readonly Job[]): Promise<(Job & Verdict)[]> {
  const byHolder = Map.groupBy(lapsed, ({ lease }) => holderOf(lease));
  byHolder.delete(null);
  const [[holder, own] = [null, []]] = byHolder;
  if (holder === null || byHolder.size > 1) return lapsed.map(acquit);
  await insertDeaths(tx, queue, [{ holder, jobs: own.length }]);
  const recent = await countDeaths(tx, queue, recentMs);
  const judged = own.map((job, place) => {
    const deaths = Math.min(job.deaths + 1, surelyFrom);
    const isOnly = own.filter((other) => other.deaths >= job.deaths).length === 1;
    const isGuilty = deaths >= surelyFrom || (deaths >= guiltyFrom && deaths * 4 >= recent);
    const isSetAside = isGuilty || (deaths >= aloneFrom && isOnly && deaths >= recent);
    return { ...job, deaths, isSetAside, wait_ms: Math.floor(place / perSecond) * 1_000 };
  });
  await deleteOldDeaths(tx, queue, keptMs);
  return [...judged, ...lapsed.filter(({ lease }) => holderOf(lease) === null).map(acquit)];
}

function acquit<Job extends Lapsed>(job: Job): Job & Verdict {
  return { ...job, isSetAside: false, wait_ms: 0 };
}
