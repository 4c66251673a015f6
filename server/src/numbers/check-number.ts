import { isCountry, readTelephone, type TelephoneFault } from "#messaging/index.ts";
import { gatherFaults, platformErrors } from "#platform/index.ts";
import { readSender } from "./read-sender.ts";
import type { NumberChannel, NumberKind } from "./sql.ts";

/** The parameters of a request for a number. */
export interface NumberInput {
  value: string;
  /** Derived from the value; a contradicting one is refused. */
  kind?: NumberKind;
  /** Everything the number supports if absent. */
  channels?: readonly NumberChannel[];
  /** null or absent: every country the project may send to. */
  countries?: readonly string[] | null;
  purpose?: string | null;
}

/** A number as stored. */
export interface CheckedNumber {
  value: string;
  kind: NumberKind;
  country: string | null;
  channels: NumberChannel[];
  countries: string[] | null;
}

type Read = Pick<CheckedNumber, "value" | "kind" | "country">;

const sentences: Readonly<Record<TelephoneFault | "not_a_sms_sender", string>> = {
  not_a_sms_sender: "Send a number in international form, a short code, or a sender name of up to 11 letters and digits.",
  not_a_telephone_number: "This isn't a phone number in international form, such as +15551230000.",
  emergency_number: "Emergency numbers can't be requested.",
  premium_number: "Premium-rate numbers can't be requested.",
};

/**
 * Validates a request. `strict` also requires that its country's numbering plan assigns a telephone number. Throws parameter_invalid with
 * all errors.
 */
export async function checkNumber(input: NumberInput, { strict }: { strict: boolean }): Promise<CheckedNumber> {
  const read = readValue(input.value, strict);
  const terms = typeof read === "string" ? null : read;
  await gatherFaults([
    () => {
      if (typeof read === "string") throw platformErrors.parameter_invalid({ param: "value", reason: read, message: sentences[read] });
    },
    () => {
      if (terms !== null && input.kind !== undefined && input.kind !== terms.kind)
        throw platformErrors.parameter_invalid({
          param: "kind",
          reason: "other_kind",
          message: `This value's kind is ${terms.kind}.`,
        });
    },
    () => terms !== null && checkChannels(terms.value, input.channels),
    () => checkCountries(input.countries),
  ]);
  const { value, kind, country } = read as Read;
  return { value, kind, country, channels: channelsOf(value, input.channels), countries: countriesOf(input.countries) };
}

function readValue(text: string, strict: boolean): Read | keyof typeof sentences {
  const telephone = readTelephone(text, { strict });
  if (typeof telephone !== "string") return { value: telephone.number, kind: "number", country: telephone.country };
  if (text.startsWith("+") || telephone !== "not_a_telephone_number") return telephone;
  const sender = readSender(text);
  if (sender === null) return "not_a_sms_sender";
  return { value: sender.value, kind: sender.kind === "alphanumeric" ? "alphanumeric" : "number", country: null };
}

/** Only telephone numbers can make calls. Throws parameter_invalid. */
export function checkChannels(value: string, channels: readonly NumberChannel[] | undefined): void {
  if (channels?.includes("call") === true && !value.startsWith("+"))
    throw platformErrors.parameter_invalid({
      param: "channels",
      reason: "calls_need_telephones",
      message: "Calls can only come from phone numbers.",
    });
}

/** Throws parameter_invalid for the first code that is not a country's. */
export function checkCountries(countries: readonly string[] | null | undefined): void {
  const wrong = countries?.findIndex((code) => !isCountry(code)) ?? -1;
  if (wrong < 0) return;
  const value = countries?.[wrong] ?? "";
  throw platformErrors.parameter_invalid({
    param: `countries[${wrong}]`,
    reason: "not_a_country",
    values: { value },
    message: `${value} isn't a country code. Use ISO 3166-1 alpha-2, such as CN.`,
  });
}

/** The requested channels without duplicates; by default all that such a number supports. */
export function channelsOf(value: string, channels: readonly NumberChannel[] | undefined): NumberChannel[] {
  const able: readonly NumberChannel[] = value.startsWith("+") ? ["sms", "call"] : ["sms"];
  return able.filter((channel) => channels?.includes(channel) ?? true);
}

/** Countries without duplicates, in a fixed order. */
export function countriesOf(countries: readonly string[] | null | undefined): string[] | null {
  return countries == null ? null : [...new Set(countries)].sort();
}
