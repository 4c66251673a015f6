import type { Tx } from "../sql.ts";
import { type BreakerKey, type BreakerTable, type Health, updateBreaker, updateFailing } from "./breaker.sql.ts";

const tripAfter = 10;
const ratio = { share: 0.7, least: 20 };
const shortestMs = 30_000;
const longestMs = 900_000;

/** What a breaker looks at besides failures in a row: the newest attempts of late. */
export const recentAttempts = { withinMs: 300_000, limit: 50 } as const;

interface Failures {
  key: BreakerKey;
  failures: number;
  /** How the newest attempts of late went, as `recentAttempts` says which. */
  recent(): Promise<{ attempts: number; failures: number }>;
}

/**
 * Takes failures down, and opens the row's breaker after ten in a row, or when most of the newest attempts failed: for 30 seconds, and twice as long each time, up to
 * 15 minutes. An open one is left alone: what comes in late belongs to the trouble that opened it.
 */
export async function noteFailures(tx: Tx, table: BreakerTable, { key, failures, recent }: Failures): Promise<void> {
  const health = await updateFailing(tx, table, { key, failures });
  if (health === null || health.is_open || !(await mustTrip(health, recent))) return;
  const forMs = Math.min(shortestMs * 2 ** health.breaker_trips, longestMs);
  await updateBreaker(tx, table, { key, forMs, trips: health.breaker_trips + 1 });
}

async function mustTrip(health: Health, recent: Failures["recent"]): Promise<boolean> {
  if (health.consecutive_failures >= tripAfter) return true;
  const { attempts, failures } = await recent();
  return attempts >= ratio.least && failures >= attempts * ratio.share;
}
