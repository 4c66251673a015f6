import { readTimeZone, zoneOfCurrency } from "#platform/index.ts";
import type { ProjectRow } from "./sql.ts";

/**
 * The zone that determines a project's days: its own setting, or else the one that its currency suggests. A zone that this machine doesn't
 * know counts as unset.
 */
export function zoneOfProject({ settings, default_currency }: Pick<ProjectRow, "settings" | "default_currency">): string {
  const own = settings.time_zone === undefined ? null : readTimeZone(settings.time_zone);
  return own ?? zoneOfCurrency(default_currency);
}
