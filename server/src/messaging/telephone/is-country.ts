import { isSupportedCountry } from "libphonenumber-js/max";

/** Whether the country with this ISO 3166-1 alpha-2 code has telephone numbers. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code);
}
