import { type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Add } from "../accept/check-labels.ts";

/** A telephone number that can receive a message. */
export interface Telephone {
  /** E.164, with its plus sign. */
  number: string;
  /** ISO 3166-1 alpha-2; `ZZ` for numbers without a country. */
  country: string;
}

/** Why a text is not a valid number. */
export type TelephoneFault = "not_a_telephone_number" | "emergency_number" | "premium_number";

const e164 = /^\+[1-9]\d{1,14}$/;
/** Emergency numbers of any country. After a country's calling code they are unassigned, and are refused anyway. */
const emergency: ReadonlySet<string> = new Set(
  "000 100 101 102 103 104 105 108 110 111 112 113 115 117 118 119 120 122 123 124 125 126 127 128 129 133 144 150 155 158 190 191 192 193 194 195 197 198 199 911 995 997 998 999".split(
    " ",
  ),
);

const faults: Readonly<Record<TelephoneFault, { reason: TelephoneFault; message: string }>> = {
  not_a_telephone_number: {
    reason: "not_a_telephone_number",
    message: "This isn't a phone number in international form, such as +15551230000.",
  },
  emergency_number: { reason: "emergency_number", message: "Emergency numbers can't be reached." },
  premium_number: { reason: "premium_number", message: "Premium-rate numbers can't be reached." },
};

interface Reading {
  strict: boolean;
  /** Prefixes, in digits, that are allowed although they are charged at a premium. */
  opened?: readonly string[];
}

/**
 * Satellite networks and international ranges without a country: their calls cost dollars a minute, whatever type the numbering plans give.
 */
const costly = ["808", "870", "878", "881", "882", "883", "888", "979"];
const costlyTypes: ReadonlySet<string | undefined> = new Set(["PREMIUM_RATE", "SHARED_COST"]);

function costsExtra(found: PhoneNumber): boolean {
  return costlyTypes.has(found.getType()) || costly.some((prefix) => found.number.startsWith(prefix, 1));
}

/**
 * Parses a number in international form. `strict` also requires that its country's numbering plan assigns it; otherwise, numbers that are
 * reserved for fiction and tests are accepted too.
 */
export function readTelephone(text: string, { strict, opened = [] }: Reading): Telephone | TelephoneFault {
  if (isEmergency(text)) return "emergency_number";
  if (!e164.test(text)) return "not_a_telephone_number";
  const found = parsePhoneNumberFromString(text, { extract: false });
  if (found === undefined || found.number !== text || !(strict ? found.isValid() : found.isPossible())) return "not_a_telephone_number";
  if (costsExtra(found) && !opened.some((prefix) => text.startsWith(prefix, 1))) return "premium_number";
  return { number: text, country: found.country ?? found.getPossibleCountries()[0] ?? "ZZ" };
}

/** Reads a message's recipient; `add` gets the reason if it is invalid. */
export function readRecipient(to: string, { add, ...reading }: Reading & { add: Add }): Telephone | null {
  const found = readTelephone(to, reading);
  if (typeof found !== "string") return found;
  add("to", "recipient_invalid", faults[found]);
  return null;
}

/** True for `112`, `+112` and `+86110` alike. */
function isEmergency(text: string): boolean {
  const digits = text.replace(/^\+/, "");
  if (!/^\d{3,6}$/.test(digits)) return false;
  return [0, 1, 2, 3].some((code) => emergency.has(digits.slice(code)) && (code === 0 || text.startsWith("+")));
}
