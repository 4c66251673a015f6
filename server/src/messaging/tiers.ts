export const tiers = ["free", "starter", "pro", "enterprise"] as const;
/** A merchant's plan, set by operators. */
export type Tier = (typeof tiers)[number];
/** System messages are outside every tier: no quota counts them, and they can't be suspended. */
export type SendingTier = Tier | "system";
export type PerTier = Readonly<Record<Tier, number>>;

export function isTier(name: string): name is Tier {
  return (tiers as readonly string[]).includes(name);
}
