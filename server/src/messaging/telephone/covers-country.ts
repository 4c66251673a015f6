import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";

/** Whether a transport for these ISO codes, calling codes or longer prefixes may reach numbers of a country. */
export function coversCountry(codes: readonly string[], country: string): boolean {
  if (codes.includes(country)) return true;
  if (!isSupportedCountry(country)) return false;
  const calling = getCountryCallingCode(country);
  return codes.some((code) => code.startsWith(calling) || calling.startsWith(code));
}
