const secondMs = 1_000;
/** Waits after each failed attempt. Late messages are often worthless, so the first waits are short; the last one repeats. */
const waitsMs = [5, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * secondMs);
const wishMaxMs = 600 * secondMs;

/**
 * How long to wait after the n-th attempt, n from 1, with a jitter of ten percent. A carrier's requested wait is used, up to ten minutes,
 * and in LIVE at least a second.
 */
export function retryWait(
  attempt: number,
  given: { requestedMs: number | null; livemode: boolean; random?: (() => number) | undefined },
): number {
  const { requestedMs, livemode, random = Math.random } = given;
  if (requestedMs !== null) return Math.min(livemode ? Math.max(requestedMs, secondMs) : requestedMs, wishMaxMs);
  const planned = waitsMs[Math.min(attempt, waitsMs.length) - 1] as number;
  return Math.round(planned * (0.9 + 0.2 * random()));
}
