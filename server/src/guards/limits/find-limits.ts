import { type Ctx, platformErrors } from "#platform/index.ts";
import { type Caps, effectiveCaps } from "./caps.ts";
import { findLimitsRow, type ProjectLimits } from "./limits.sql.ts";
import { listCountries } from "./list-countries.ts";
import type { Pace } from "./pace.ts";
import { type QuietHours, usualQuietHours } from "./quiet-hours.ts";

/** A project's limits as the API shows them: what was set, and what applies. */
export interface FoundLimits extends ProjectLimits {
  reachable_countries: string[];
  effective_caps: Caps;
  quiet_hours: QuietHours;
  pace: Pace;
}

/** The limits of a project's LIVE SMS and calls. Throws resource_missing. */
export async function findLimits(ctx: Pick<Ctx, "db" | "guards">, projectId: string): Promise<FoundLimits> {
  const row = await findLimitsRow(ctx.db, projectId);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return {
    ...row,
    reachable_countries: listCountries(row),
    effective_caps: capsOf(ctx, row),
    quiet_hours: { ...usualQuietHours, ...row.quiet_hours },
    pace: ctx.guards.pace,
  };
}

/** The caps that apply to a project. */
export function capsOf(
  { guards }: Pick<Ctx, "guards">,
  { tier, verified, caps, operator_caps }: Pick<ProjectLimits, "tier" | "verified" | "caps" | "operator_caps">,
): Caps {
  return effectiveCaps({ tier: guards.caps[tier], verified, atOnce: guards.callsAtOnce, own: caps, operator: operator_caps });
}
