import { coversCountry } from "./covers-country.ts";

/** What a way out is for: country codes, longer beginnings of numbers and ISO codes of countries; empty: every number. */
export type Reach = readonly string[];

/** Reads codes separated by commas, such as `86,1` or `CN,US`; null if one of them is none. */
export function readReach(text: string): Reach | null {
  const codes = text.split(",").map((one) => one.trim().replace(/^\+/, "").toUpperCase());
  return codes.every((one) => /^([1-9]\d{0,14}|[A-Z]{2})$/.test(one)) ? codes : null;
}

/** Whether it is for some numbers of a country. */
export function reachesCountry(reach: Reach, country: string): boolean {
  return reach.length === 0 || coversCountry(reach, country);
}

/** Whether it is for this number. */
export function reachesNumber(reach: Reach, { to, country }: { to: string; country: string }): boolean {
  return reach.length === 0 || reach.some((one) => one === country || to.startsWith(`+${one}`));
}
