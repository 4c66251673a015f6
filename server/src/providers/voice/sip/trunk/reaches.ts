import { coversCountry } from "#messaging/index.ts";
import type { TrunkConfig } from "./config.ts";

/** Whether a trunk serves a country. A trunk for only some of its numbers counts, and is checked again once the number is known. */
export function reaches({ countries }: Pick<TrunkConfig, "countries">, country: string): boolean {
  return countries === null || coversCountry(countries, country);
}
