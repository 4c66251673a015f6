import { coversCountry } from "#messaging/index.ts";
import type { TrunkConfig } from "../trunk/config.ts";

/** Whether a trunk is for calls to a country. One that is for some of its numbers is, and decides again when it knows the number. */
export function reaches({ countries }: Pick<TrunkConfig, "countries">, country: string): boolean {
  return countries === null || coversCountry(countries, country);
}
