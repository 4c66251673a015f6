import type { ProjectLimits } from "./limits.sql.ts";

/**
 * The countries that a project may reach in LIVE: those that it chose, or its merchant's own, as far as operators allow them. A leaked key
 * must not reach the most expensive ones.
 */
export function listCountries({ countries, home_country, policy }: Pick<ProjectLimits, "countries" | "home_country" | "policy">): string[] {
  const wanted = countries ?? (home_country === null ? [] : [home_country]);
  return wanted.filter((country) => isAllowed(policy, country));
}

/** True if operators allow a country at all. */
export function isAllowed({ allowed_countries, denied_countries }: ProjectLimits["policy"], country: string): boolean {
  return (allowed_countries === null || allowed_countries.includes(country)) && !denied_countries.includes(country);
}
