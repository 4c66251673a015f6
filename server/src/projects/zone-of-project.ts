import { zoneOfCurrency } from "#platform/index.ts";
import type { ProjectRow } from "./sql.ts";

/** The zone in which a project keeps its days: its own setting, else what its currency suggests. */
export function zoneOfProject({ settings, default_currency }: Pick<ProjectRow, "settings" | "default_currency">): string {
  return settings.time_zone ?? zoneOfCurrency(default_currency);
}
