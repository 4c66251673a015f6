/** A day of a provider's list. */
export interface Span {
  from: Date;
  to: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Days begin at midnight in Beijing: some providers only list whole days there, and the others accept any period. */
const zoneMs = 8 * hourMs;
/** A day's list is complete this long after its end. */
const readyMs = 12 * hourMs;
/** Accounts are compared at different minutes of these hours. */
const spreadMinutes = 360;
/** After a longer pause, only the newest days are compared, because no list is unlimited. */
const maxDaysBehind = 31;

/** The start of the day that contains a time. */
export function dayOf(moment: Date): Date {
  return new Date(Math.floor((moment.getTime() + zoneMs) / dayMs) * dayMs - zoneMs);
}

/** Pure: the day to compare next, and when. */
export function nextSpan(given: { id: string; created_at: Date; compared_until: Date | null }, now: Date): { span: Span; dueAt: Date } {
  const earliest = dayOf(new Date(now.getTime() - maxDaysBehind * dayMs));
  const wanted = given.compared_until ?? dayOf(given.created_at);
  const from = new Date(Math.max(wanted.getTime(), earliest.getTime()));
  const to = new Date(from.getTime() + dayMs);
  return { span: { from, to }, dueAt: new Date(to.getTime() + readyMs + minuteOf(given.id) * 60_000) };
}

/**
 * Pure: the days before the next one that are never compared, because their lists weren't available for too long; null if there are none.
 * Days before the first attempt aren't missed.
 */
export function skippedDays(given: { created_at: Date; compared_until: Date | null; attempts: number }, next: Span): Span | null {
  const from = given.compared_until ?? (given.attempts > 1 ? dayOf(given.created_at) : null);
  return from !== null && from < next.from ? { from, to: next.from } : null;
}

/** The date of the day that contains a time: `2026-11-20`. */
export function dateOf(moment: Date): string {
  return new Date(moment.getTime() + zoneMs).toISOString().slice(0, 10);
}

/** An account's own minute: the end of an id is random. */
function minuteOf(id: string): number {
  return Number.parseInt(id.slice(-5), 36) % spreadMinutes || 0;
}
