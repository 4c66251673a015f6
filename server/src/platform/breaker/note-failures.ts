import type { Tx } from "../sql.ts";
import { type BreakerKey, type BreakerTable, type Health, updateBreaker, updateFailing } from "./breaker.sql.ts";

const tripAfter = 10;
const ratio = { share: 0.7, least: 20 };
const shortestMs = 30_000;
const longestMs = 900_000;

/** Recent attempts, which a breaker considers in addition to consecutive failures. */
export const recentAttempts = { withinMs: 300_000, limit: 50 } as const;

interface Failures {
  key: BreakerKey;
  failures: number;
  /** The results of recent attempts, as `recentAttempts` selects them. */
  recent(): Promise<{ attempts: number; failures: number }>;
}

/**
 * Records failures, and opens the row's breaker after ten in a row, or if most of the recent attempts failed: for 30 seconds, and twice as
 * long each time, up to 15 minutes. An open breaker doesn't change: late failures belong to the problem that opened it.
 */
export async function noteFailures(tx: Tx, table: BreakerTable, { key, failures, recent }: Failures): Promise<void> {
  const health = await updateFailing(tx, table, { key, failures });
  if (health === null || health.is_open || !(await mustTrip(health, recent))) return;
  const durationMs = Math.min(shortestMs * 2 ** health.breaker_trips, longestMs);
  await updateBreaker(tx, table, { key, durationMs, trips: health.breaker_trips + 1 });
}

async function mustTrip(health: Health, recent: Failures["recent"]): Promise<boolean> {
  if (health.consecutive_failures >= tripAfter) return true;
  const { attempts, failures } = await recent();
  return attempts >= ratio.least && failures >= attempts * ratio.share;
}
