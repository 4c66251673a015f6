/** What one process recorded may be ahead of another's clock by less than this. */
const toleranceMs = 300_000;

/**
 * Whether a recorded time is still to come: the clock was ahead then, and was set back since. Nothing is recent or up to date because of
 * such a time.
 */
export function isAhead(at: string | Date, now: Date): boolean {
  return new Date(at).getTime() - now.getTime() > toleranceMs;
}
