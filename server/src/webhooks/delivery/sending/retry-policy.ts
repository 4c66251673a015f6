const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays before each automatic attempt. */
const live = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
const test = [0, 5 * second, 5 * minute, hour];

/**
 * The delay after the failed attempt of a step, or null after the last one. Jitter of twenty per cent keeps retries from synchronizing; the
 * receiver's own `Retry-After` is honored up to twice the delay.
 */
export function waitAfter(step: number, given: { livemode: boolean; retryAfterMs: number | null; random?: () => number }): number | null {
  const planned = (given.livemode ? live : test)[step + 1];
  if (planned === undefined) return null;
  const jittered = planned * (0.8 + 0.4 * (given.random ?? Math.random)());
  if (given.retryAfterMs === null) return Math.round(jittered);
  return Math.round(Math.min(Math.max(given.retryAfterMs, planned), planned * 2));
}

/** Parses `Retry-After`: seconds or a date; null for anything else. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
