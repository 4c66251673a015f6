/** The numbers that a transport serves: calling codes, longer prefixes and ISO codes of countries; empty: every number. */
export type Reach = readonly string[];

/** Parses codes separated by commas, such as `86,1` or `CN,US`; null if one of them is invalid. */
export function readReach(text: string): Reach | null {
  const codes = text.split(",").map((one) => one.trim().replace(/^\+/, "").toUpperCase());
  return codes.every((one) => /^([1-9]\d{0,14}|[A-Z]{2})$/.test(one)) ? codes : null;
}

/** A number that messages or calls go to, in international form, and its country. */
export interface Destination {
  to: string;
  country: string;
}

/** Whether it serves this number. A country's code alone doesn't decide: a longer prefix serves only some of a country's numbers. */
export function reachesNumber(reach: Reach, { to, country }: Destination): boolean {
  return reach.length === 0 || reach.some((one) => one === country || to.startsWith(`+${one}`));
}
