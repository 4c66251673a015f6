import { type Ctx, findNow, type Tenant } from "#platform/index.ts";
import { dailyQuotaOf, type QuotaTier } from "./daily-quotas.ts";
import { listUsageRows } from "./sql.ts";

const dayMs = 86_400_000;
const daysShown = 30;

export interface Usage {
  /** Deliveries that the tier allows in a day. */
  quota: number;
  /** The last thirty days in UTC, the latest last: how many deliveries were asked for. */
  days: { day: string; used: number }[];
  /** When the next day begins. */
  resets_at: Date;
}

/** What a project sent of late, a recipient as one, beside what its tier allows. */
export async function listUsage(ctx: Ctx, tenant: Tenant, tier: QuotaTier): Promise<Usage> {
  const today = Math.floor((await findNow(ctx.db)).getTime() / dayMs) * dayMs;
  const names = Array.from({ length: daysShown }, (_none, index) => new Date(today - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10));
  const rows = await listUsageRows(ctx.db, tenant, { channel: "email", since: names[0] as string });
  const used = new Map(rows.map((row) => [row.day, row.used]));
  return { quota: dailyQuotaOf(ctx, tier), days: names.map((day) => ({ day, used: used.get(day) ?? 0 })), resets_at: new Date(today + dayMs) };
}
