import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Converts a number from its national to its international form; returns any other text unchanged. `near`: a number of the same country, in
 * international form.
 */
export function completeNumber(text: string, { near }: { near: string }): string {
  if (!/^\d{6,15}$/.test(text)) return text;
  const defaultCountry = parsePhoneNumberFromString(near, { extract: false })?.country;
  if (defaultCountry === undefined) return text;
  const found = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  return found?.isValid() === true ? found.number : text;
}
