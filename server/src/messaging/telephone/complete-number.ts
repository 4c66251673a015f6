import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Reach } from "./reach.ts";

interface Nearby {
  /** A number that is likely from the same country, in international form; anything else is ignored. */
  near: string;
  /** Where else it may be from, the likeliest first. */
  reach?: Reach | undefined;
}

/** Also with spaces and punctuation. Whatever else a stranger wrote is never parsed: the library also reads links of any form. */
const international = /^\+[\d ().-]{1,40}$/;

type Home = NonNullable<Exclude<Parameters<typeof parsePhoneNumberFromString>[1], string>>;

/**
 * The numbers in international form that a number without a plus sign may be, the likeliest first: one in national form of the country of
 * `near`, or of `reach`, or one that already has its country code. None for any other text.
 */
export function readingsOf(text: string, { near, reach = [] }: Nearby): string[] {
  if (!/^\d{6,15}$/.test(text)) return [];
  const country = international.test(near) ? parsePhoneNumberFromString(near, { extract: false })?.country : undefined;
  const homes: Home[] = [...(country === undefined ? [] : [{ defaultCountry: country }]), ...reach.flatMap(homeOf)];
  const found = [
    ...homes.map((home) => parsePhoneNumberFromString(text, { ...home, extract: false })),
    // A shorter one is rather a short code, or lacks its area code.
    ...(/^[1-9]\d{10}/.test(text) ? [parsePhoneNumberFromString(`+${text}`, { extract: false })] : []),
  ];
  return [...new Set(found.flatMap((number) => (number?.isValid() === true ? [number.number] : [])))];
}

/** Completes a number without a plus sign to the likeliest number in international form; returns any other text unchanged. */
export function completeNumber(text: string, given: Nearby): string {
  return readingsOf(text, given)[0] ?? text;
}

function homeOf(code: string): Home[] {
  if (isSupportedCountry(code)) return [{ defaultCountry: code }];
  const calling = getCountries()
    .map((country) => getCountryCallingCode(country))
    .find((one) => code.startsWith(one));
  return calling === undefined ? [] : [{ defaultCallingCode: calling }];
}
