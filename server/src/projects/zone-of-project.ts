import { readTimeZone, zoneOfCurrency } from "#platform/index.ts";
import type { ProjectRow } from "./sql.ts";

/** The zone in which a project keeps its days: its own setting, else what its currency suggests. A zone that this machine does not know counts as none. */
export function zoneOfProject({ settings, default_currency }: Pick<ProjectRow, "settings" | "default_currency">): string {
  const own = settings.time_zone === undefined ? null : readTimeZone(settings.time_zone);
  return own ?? zoneOfCurrency(default_currency);
}
