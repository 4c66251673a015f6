import { parsePhoneNumberFromString } from "libphonenumber-js/max";

const rangeDigits = 3;

/** The range of numbers that one is in, in digits: its country's calling code and three more, such as an area code or a carrier's. */
export function rangeOf(number: string): string {
  const calling = parsePhoneNumberFromString(number)?.countryCallingCode ?? number.slice(1, 3);
  return number.slice(1, 1 + calling.length + rangeDigits);
}
