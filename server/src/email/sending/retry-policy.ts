const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/**
 * Waits after each failed attempt: short at first, because a server that defers a new sender's first email usually accepts it minutes
 * later. The last one repeats.
 */
const waitsMs = [5, 7, 8, 25, 75, 120, 240].map((minutes) => minutes * minuteMs);

/**
 * How long to wait after the n-th failed attempt, n from 1. A jitter of ten percent either way prevents retries in step. A server's
 * requested wait is used, from a minute to an hour; in TEST unchanged.
 */
export function retryWait(step: number, given: { requestedMs: number | null; livemode: boolean; random?: () => number }): number {
  if (given.requestedMs !== null) return given.livemode ? Math.min(Math.max(given.requestedMs, minuteMs), hourMs) : given.requestedMs;
  const planned = waitsMs[Math.min(step, waitsMs.length) - 1] as number;
  return Math.round(planned * (0.9 + 0.2 * (given.random ?? Math.random)()));
}
