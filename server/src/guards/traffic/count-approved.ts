import type { Tenant, Tx } from "#platform/index.ts";
import { type PricedChannel, pricedChannels } from "../prices/prices.sql.ts";
import { rangeOf } from "./ranges.ts";
import { countTraffic } from "./traffic.sql.ts";

/** Counts a LIVE code that was entered, for each channel that it was sent by: numbers whose codes are never entered aren't people's. */
export async function countApproved(
  tx: Tx,
  { project_id, livemode }: Tenant,
  given: { channels: readonly string[]; recipient: string },
): Promise<void> {
  if (!livemode) return;
  const channels = pricedChannels.filter((channel): channel is PricedChannel => given.channels.includes(channel));
  const one = { project_id, livemode, prefix: rangeOf(given.recipient), messages: 0, codes: 0, approved: 1 };
  await countTraffic(
    tx,
    channels.map((channel) => ({ ...one, channel })),
  );
}
