import { isTier, type PerTier, type Tier, tiers } from "#messaging/index.ts";

/** The caps of a project's LIVE SMS and calls: money by the price table, or segments and minutes if there is none; and concurrent calls. */
export const capNames = [
  "daily_spend_micros",
  "monthly_spend_micros",
  "daily_segments",
  "monthly_segments",
  "daily_minutes",
  "monthly_minutes",
  "calls_at_once",
] as const;
export type CapName = (typeof capNames)[number];
export type Caps = Readonly<Record<CapName, number>>;
/** null or absent: not set. */
export type SomeCaps = Partial<Record<CapName, number | null>>;

const unit = 1_000_000;
const usual: Readonly<Record<CapName, PerTier>> = {
  daily_spend_micros: { free: 10 * unit, starter: 100 * unit, pro: 2_000 * unit, enterprise: 20_000 * unit },
  monthly_spend_micros: { free: 100 * unit, starter: 1_500 * unit, pro: 30_000 * unit, enterprise: 300_000 * unit },
  daily_segments: { free: 100, starter: 5_000, pro: 100_000, enterprise: 1_000_000 },
  monthly_segments: { free: 2_000, starter: 100_000, pro: 2_000_000, enterprise: 20_000_000 },
  daily_minutes: { free: 100, starter: 3_000, pro: 60_000, enterprise: 1_500_000 },
  monthly_minutes: { free: 2_000, starter: 60_000, pro: 1_200_000, enterprise: 30_000_000 },
  calls_at_once: { free: 5, starter: 20, pro: 200, enterprise: 1_000 },
};
export const capMax = 1_000_000_000_000_000;

/** Each tier's caps, with the operator's changes in the form `tier.cap=number`. Throws on an invalid one. */
export function readTierCaps(changes: readonly string[]): Readonly<Record<Tier, Caps>> {
  const read = Object.fromEntries(tiers.map((tier) => [tier, Object.fromEntries(capNames.map((name) => [name, usual[name][tier]]))]));
  for (const change of changes) {
    const [, tier = "", name = "", number = ""] = /^(\w+)\.(\w+)=(\d{1,15})$/.exec(change) ?? [];
    if (!isTier(tier) || !(capNames as readonly string[]).includes(name)) throw new Error(`not a cap of a tier: ${change}`);
    (read[tier] as Record<string, number>)[name] = Number(number);
  }
  return read as Record<Tier, Caps>;
}

/** Merchants that no operator has verified get this fraction of their tier's caps. */
const unverifiedPart = 10;

interface Given {
  tier: Caps;
  verified: boolean;
  /** The default limit of concurrent calls. */
  atOnce: number;
  own: SomeCaps;
  operator: SomeCaps;
}

/** A project's effective caps: the operator's, or its tier's; lower if its owner wants less. */
export function effectiveCaps({ tier, verified, atOnce, own, operator }: Given): Caps {
  const of = (name: CapName) => {
    const part = verified ? tier[name] : Math.ceil(tier[name] / unverifiedPart);
    const allowed = operator[name] ?? (name === "calls_at_once" ? Math.min(part, atOnce) : part);
    return Math.min(allowed, own[name] ?? allowed);
  };
  return Object.fromEntries(capNames.map((name) => [name, of(name)])) as Record<CapName, number>;
}
