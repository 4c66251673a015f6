const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Waits after each failed attempt: dense at first, because who defers a stranger's first mail takes it minutes later. The last one repeats. */
const waitsMs = [5, 7, 8, 25, 75, 120, 240].map((minutes) => minutes * minuteMs);

/**
 * How long to wait after the n-th failed attempt, n from 1. Ten per cent either way keep retries from marching together. A server's own wish counts,
 * from a minute to an hour, in TEST as it is.
 */
export function retryWait(step: number, given: { wishMs: number | null; livemode: boolean; random?: () => number }): number {
  if (given.wishMs !== null) return given.livemode ? Math.min(Math.max(given.wishMs, minuteMs), hourMs) : given.wishMs;
  const planned = waitsMs[Math.min(step, waitsMs.length) - 1] as number;
  return Math.round(planned * (0.9 + 0.2 * (given.random ?? Math.random)()));
}
