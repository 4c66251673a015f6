import type { Channel, Channels, SendingChannel } from "./channel.ts";
import { readDailyQuotas } from "./tier-limits.ts";
import type { PerTier } from "./tiers.ts";

/**
 * Creates the list, with the operator's changes of daily quotas. Throws for a duplicate name or limit, and for a change of an unknown
 * channel.
 */
export function listChannels(all: readonly (Channel | SendingChannel)[], quotaChanges: readonly string[] = []): Channels {
  const sending = all.filter(isSending);
  for (const names of [
    all.map(({ name }) => name),
    all.flatMap(({ limits }) => Object.keys(limits)),
    sending.map(({ quota }) => quota.unit),
  ])
    if (new Set(names).size !== names.length) throw new Error(`channels share a name: ${names.join(", ")}`);
  const quotas = readDailyQuotas(sending, quotaChanges);
  return {
    all,
    sending,
    named: (name) => found(all, name),
    sendingNamed: (name) => found(sending, name),
    quotasOf: ({ quota }) => quotas.get(quota.unit) as PerTier,
  };
}

function isSending(one: Channel): one is SendingChannel {
  return "quota" in one;
}

function found<One extends Channel>(channels: readonly One[], name: string): One {
  const channel = channels.find((one) => one.name === name);
  if (channel === undefined) throw new Error(`there is no channel ${JSON.stringify(name)}`);
  return channel;
}
