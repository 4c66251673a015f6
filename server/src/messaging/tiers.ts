export const tiers = ["free", "starter", "pro", "enterprise"] as const;
/** The plan that a merchant is on. Operators set it. */
export type Tier = (typeof tiers)[number];
/** Tillpost's own messages are outside of every tier: no quota counts them, and nobody can suspend them. */
export type SendingTier = Tier | "system";
export type PerTier = Readonly<Record<Tier, number>>;

export function isTier(name: string): name is Tier {
  return (tiers as readonly string[]).includes(name);
}
