import type { Channel, SendingChannel } from "./channel.ts";
import { isTier, type PerTier, type Tier, tiers } from "./tiers.ts";

/** Limits of each key that are shared by all channels. */
const shared = {
  /** Per minute, for each GET endpoint. */
  reads: { free: 100, starter: 500, pro: 2_000, enterprise: 20_000 },
  /** Per minute, for all other endpoints together. */
  general: { free: 100, starter: 500, pro: 1_000, enterprise: 10_000 },
  /** Concurrent requests. */
  burst: { free: 20, starter: 100, pro: 200, enterprise: 2_000 },
  /** Per minute: new verifications, and as many resent codes. */
  verifications: { free: 10, starter: 50, pro: 500, enterprise: 5_000 },
  /** Per hour: all changes of domains, suppressions and the like together. */
  control: { free: 60, starter: 300, pro: 600, enterprise: 6_000 },
} as const satisfies Record<string, PerTier>;

/** The limits of each key of the messaging API in a tier, by the limit's name. */
export type TierLimits = Readonly<Record<keyof typeof shared, number> & Record<string, number>>;

/**
 * The limits of every tier: shared ones, those of the channels, and the operator's overrides of both, each `tier.limit=number`. Throws on
 * an invalid override.
 */
export function readTierLimits(channels: readonly Pick<Channel, "limits">[], changes: readonly string[]): Record<Tier, TierLimits> {
  const usual: Readonly<Record<string, PerTier>> = Object.assign({}, shared, ...channels.map(({ limits }) => limits));
  const ofTier = (tier: Tier) => Object.fromEntries(Object.entries(usual).map(([limit, perTier]) => [limit, perTier[tier]]));
  const read = Object.fromEntries(tiers.map((tier) => [tier, ofTier(tier)])) as Record<Tier, Record<string, number>>;
  for (const change of changes) {
    const { tier, name, number } = readChange(change);
    if (tier === null || !Object.hasOwn(usual, name) || number < 1 || number > 999_999_999)
      throw new Error(`not a limit of a tier: ${change}`);
    read[tier][name] = number;
  }
  return read as Record<Tier, TierLimits>;
}

/**
 * The daily quota of every tier per project and environment, with the operator's overrides, each `tier.unit=number`. Throws on a unit that
 * no channel has.
 */
export function readDailyQuotas(
  channels: readonly Pick<SendingChannel, "quota">[],
  changes: readonly string[],
): ReadonlyMap<string, PerTier> {
  const read = new Map(channels.map(({ quota }) => [quota.unit, { ...quota.daily }]));
  for (const change of changes) {
    const { tier, name, number } = readChange(change);
    const quota = read.get(name);
    if (tier === null || quota === undefined) throw new Error(`not a quota of a tier: ${change}`);
    quota[tier] = number;
  }
  return read;
}

/** A tier's limit that belongs to a channel. Throws if no channel of the list has it. */
export function limitOf(limits: TierLimits, name: string): number {
  const limit = limits[name];
  if (limit === undefined) throw new Error(`no channel has the limit ${name}`);
  return limit;
}

function readChange(change: string): { tier: Tier | null; name: string; number: number } {
  const [, tier = "", name = "", number = ""] = /^(\w+)\.(\w+)=(\d{1,12})$/.exec(change) ?? [];
  return { tier: isTier(tier) ? tier : null, name, number: Number(number) };
}
