import { type Ctx, pipeline, type Tenant, type Tx, updateLockWait } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import { messagingErrors } from "../errors.ts";
import type { SendingTier, Tier } from "../tiers.ts";
import { insertUsage } from "./sql.ts";

const counterPatience = 10;
const counterWaitMaxMs = 5_000;

/** One message's share of its project's daily quota. */
export interface Use {
  tenant: Tenant;
  tier: SendingTier;
  /** In the channel's unit. */
  units: number;
}

interface Taking {
  channel: SendingChannel;
  uses: readonly Use[];
  /** When the messages were accepted. */
  now: Date;
  timeoutMs: number;
}

/**
 * Counts messages against their projects' daily quota. The last step of a transaction before its commit, because the counter's row makes a
 * project's other transactions wait. Throws quota_exceeded.
 */
export async function takeQuota(tx: Tx, ctx: Ctx, { channel, uses, now, timeoutMs }: Taking): Promise<void> {
  if (uses.length === 0) return;
  const quotas = ctx.channels.quotasOf(channel);
  const groups = Map.groupBy(
    uses.filter(({ tier }) => tier !== "system"),
    ({ tenant }) => `${tenant.project_id} ${tenant.livemode}`,
  );
  const names = [...groups.keys()].sort();
  // This only waits for another transaction's commit: a short timeout would just split groups.
  const [, taken] = await pipeline(tx, (pipe) => [
    updateLockWait(pipe, Math.min(timeoutMs * counterPatience, counterWaitMaxMs)),
    names.map((name) => {
      const members = groups.get(name) as Use[];
      const [{ tenant, tier }] = members as [Use];
      const wanted = members.reduce((sum, { units }) => sum + units, 0);
      return insertUsage(pipe, tenant, { channel: channel.name, day: now.toISOString().slice(0, 10), wanted, limit: quotas[tier as Tier] });
    }),
  ]);
  if (!taken.includes(false)) return;
  const untilMidnight = 86_400 - Math.floor((now.getTime() / 1000) % 86_400);
  throw messagingErrors.quota_exceeded({ headers: { "retry-after": String(untilMidnight) } });
}
