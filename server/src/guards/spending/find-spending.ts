import { type Ctx, findNow, type Tenant } from "#platform/index.ts";
import type { Measure } from "../admit/sql.ts";
import { findLimits } from "../limits/find-limits.ts";
import { listSpending } from "./sql.ts";

const dayMs = 86_400_000;
const daysShown = 30;

interface Part {
  used: number;
  cap: number;
  /** When the next day or month begins, in UTC. */
  resets_at: Date;
}

export interface SpendingOf {
  measure: Measure;
  day: Part;
  month: Part;
  /** The last thirty days in UTC, the latest last. */
  days: { day: string; used: number }[];
}

export interface Spending {
  project_id: string;
  /** null: no price table. */
  currency: string | null;
  measures: SpendingOf[];
}

/**
 * A project's recent LIVE spending next to its caps: money, in its present currency, if there is a price table; segments and minutes if
 * something is counted in those.
 */
export async function findSpending(ctx: Pick<Ctx, "db" | "guards">, { project_id }: Pick<Tenant, "project_id">): Promise<Spending> {
  const { effective_caps: caps, currency } = await findLimits(ctx, project_id);
  const now = await findNow(ctx.db);
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const days = Array.from({ length: daysShown }, (_none, index) => dayOf(today - (daysShown - 1 - index) * dayMs));
  const rows = await listSpending(
    ctx.db,
    { project_id, livemode: true },
    {
      since: (days[0] as string).slice(0, 7),
      currency,
    },
  );
  const shown = (["spend_micros", "segments", "minutes"] as const).filter(
    (measure) => (measure === "spend_micros") === (currency !== null) || rows.some((row) => row.measure === measure),
  );
  const month = dayOf(today).slice(0, 7);
  const monthEnds = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return {
    ...{ project_id, currency },
    measures: shown.map((measure) => {
      const used = (period: string) => rows.find((row) => row.measure === measure && row.period === period)?.used ?? 0;
      return {
        measure,
        day: { used: used(dayOf(today)), cap: caps[`daily_${measure}`], resets_at: new Date(today + dayMs) },
        month: { used: used(month), cap: caps[`monthly_${measure}`], resets_at: monthEnds },
        days: days.map((day) => ({ day, used: used(day) })),
      };
    }),
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
