const secondMs = 1_000;
/** Waits after each failed attempt. What is not delivered soon is often worth nothing, so they begin short; the last one repeats. */
const waitsMs = [5, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * secondMs);
const wishMaxMs = 600 * secondMs;

/** How long to wait after the n-th attempt, n from 1, ten per cent more or less. A carrier's own wish counts, up to ten minutes, and in LIVE from a second on. */
export function retryWait(attempt: number, given: { wishMs: number | null; livemode: boolean; random?: (() => number) | undefined }): number {
  const { wishMs, livemode, random = Math.random } = given;
  if (wishMs !== null) return Math.min(livemode ? Math.max(wishMs, secondMs) : wishMs, wishMaxMs);
  const planned = waitsMs[Math.min(attempt, waitsMs.length) - 1] as number;
  return Math.round(planned * (0.9 + 0.2 * random()));
}
