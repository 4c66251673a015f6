export type Channel = "email" | "sms" | "call";
export type SuppressionReason = "bounce" | "complaint" | "unsubscribe" | "manual";

const dayMs = 86_400_000;

/** Weakest first: a mailbox that did not exist may exist one day, a person who complained has spoken. */
const byStrength: readonly SuppressionReason[] = ["bounce", "manual", "unsubscribe", "complaint"];

/** A reason's rank; a weaker one never replaces a stronger one. */
export function strengthOf(reason: SuppressionReason): number {
  return byStrength.indexOf(reason);
}

/** When a suppression ends if nobody says: an unknown mailbox is tried again after 90 days, everything else stays. */
export function usualEnd(reason: SuppressionReason, now: Date): Date | null {
  return reason === "bounce" ? new Date(now.getTime() + 90 * dayMs) : null;
}
