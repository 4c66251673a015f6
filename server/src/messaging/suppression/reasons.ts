const dayMs = 86_400_000;

/** What people want, whatever the channel. Weakest first: a person who complained has spoken. */
const wishes = ["manual", "unsubscribe", "complaint"] as const;

/** Every other reason is a channel's own word for an address that nothing reaches. */
export function isUnreachable(reason: string): boolean {
  return !(wishes as readonly string[]).includes(reason);
}

/** A reason's rank; a weaker one never replaces a stronger one. An address that nothing reaches is the weakest: it may exist one day. */
export function strengthOf(reason: string): number {
  return (wishes as readonly string[]).indexOf(reason);
}

/** The default expiry of a suppression: an unreachable address is tried again after 90 days, all others stay. */
export function usualEnd(reason: string, now: Date): Date | null {
  return isUnreachable(reason) ? new Date(now.getTime() + 90 * dayMs) : null;
}
