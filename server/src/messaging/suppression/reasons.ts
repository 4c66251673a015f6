const dayMs = 86_400_000;

/** Reasons that express a recipient's wish, in every channel. Weakest first: a complaint is the most explicit. */
const wishes = ["manual", "unsubscribe", "complaint"] as const;

/** Every other reason is a channel's own term for an unreachable address. */
export function isUnreachable(reason: string): boolean {
  return !(wishes as readonly string[]).includes(reason);
}

/** A reason's rank; a weaker one never replaces a stronger one. An unreachable address is the weakest: it may exist one day. */
export function strengthOf(reason: string): number {
  return (wishes as readonly string[]).indexOf(reason);
}

/** The default expiry of a suppression: an unreachable address is tried again after 90 days, all others never expire. */
export function usualEnd(reason: string, now: Date): Date | null {
  return isUnreachable(reason) ? new Date(now.getTime() + 90 * dayMs) : null;
}
