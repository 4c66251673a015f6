import { type Ctx, findNow, type Tenant } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import type { Tier } from "../tiers.ts";
import { listUsageRows } from "./sql.ts";

const dayMs = 86_400_000;
const daysShown = 30;

export interface Usage {
  /** The tier's daily limit, in the channel's unit. */
  quota: number;
  /** The last thirty days in UTC, the latest last: the requested amounts. */
  days: { day: string; used: number }[];
  /** When the next day begins. */
  resets_at: Date;
}

/** A project's recent use of a channel, with its tier's limit. */
export async function listUsage(ctx: Ctx, tenant: Tenant, { channel, tier }: { channel: SendingChannel; tier: Tier }): Promise<Usage> {
  const today = Math.floor((await findNow(ctx.db)).getTime() / dayMs) * dayMs;
  const names = Array.from({ length: daysShown }, (_none, index) =>
    new Date(today - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  const rows = await listUsageRows(ctx.db, tenant, { channel: channel.name, since: names[0] as string });
  const used = new Map(rows.map((row) => [row.day, row.used]));
  return {
    quota: ctx.channels.quotasOf(channel)[tier],
    days: names.map((day) => ({ day, used: used.get(day) ?? 0 })),
    resets_at: new Date(today + dayMs),
  };
}
