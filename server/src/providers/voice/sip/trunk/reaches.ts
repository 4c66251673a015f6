import { type Destination, reachesNumber } from "#messaging/index.ts";
import type { TrunkConfig } from "./config.ts";

/** Whether a trunk serves a number. */
export function reaches({ countries }: Pick<TrunkConfig, "countries">, number: Destination): boolean {
  return countries === null || reachesNumber(countries, number);
}
