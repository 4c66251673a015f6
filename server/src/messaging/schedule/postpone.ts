/**
 * The new values of a due message or call that must wait until `start`. The wait doesn't use up its validity. It becomes scheduled unless
 * it was attempted before.
 */
export function postpone(start: Date, { now, attempts, expires_at }: { now: Date; attempts: number; expires_at: Date }) {
  const waiting = {
    state: "waiting" as const,
    due_at: start,
    expires_at: new Date(expires_at.getTime() + start.getTime() - now.getTime()),
  };
  return attempts > 0 ? waiting : { ...waiting, status: "scheduled" as const, scheduled_at: start };
}
