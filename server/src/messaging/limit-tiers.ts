export type Tier = "free" | "starter" | "pro" | "enterprise";

/** What one merchant's tier allows each key of the messaging API. */
export interface TierLimits {
  /** A minute, each endpoint by itself. */
  emails: number;
  sms: number;
  calls: number;
  /** A minute, each GET by itself. */
  reads: number;
  /** A minute, all other endpoints together. */
  general: number;
  /** Requests in flight at once. */
  burst: number;
  /** An hour, each endpoint by itself. */
  email_batches: number;
  sms_batches: number;
  /** An hour, all changes of domains, suppressions and the like together. */
  control: number;
}

const usual: Readonly<Record<Tier, TierLimits>> = {
  free: { emails: 20, sms: 10, calls: 2, reads: 100, general: 100, burst: 20, email_batches: 12, sms_batches: 6, control: 60 },
  starter: { emails: 100, sms: 50, calls: 10, reads: 500, general: 500, burst: 100, email_batches: 60, sms_batches: 30, control: 300 },
  pro: { emails: 1_000, sms: 500, calls: 100, reads: 2_000, general: 1_000, burst: 200, email_batches: 600, sms_batches: 300, control: 600 },
  enterprise: {
    emails: 10_000,
    sms: 5_000,
    calls: 1_000,
    reads: 20_000,
    general: 10_000,
    burst: 2_000,
    email_batches: 6_000,
    sms_batches: 3_000,
    control: 6_000,
  },
};

/** The tiers with the operator's changes, each written `tier.limit=number`. Throws on one that is none. */
export function readTierLimits(changes: readonly string[]): Record<Tier, TierLimits> {
  const tiers = structuredClone(usual) as Record<Tier, TierLimits>;
  for (const change of changes) {
    const [, tier = "", limit = "", number = ""] = /^(\w+)\.(\w+)=(\d{1,9})$/.exec(change) ?? [];
    if (!Object.hasOwn(tiers, tier) || !Object.hasOwn(usual.free, limit) || Number(number) < 1) throw new Error(`not a limit of a tier: ${change}`);
    tiers[tier as Tier][limit as keyof TierLimits] = Number(number);
  }
  return tiers;
}
