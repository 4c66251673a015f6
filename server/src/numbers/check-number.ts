import { isCountry, readTelephone, type TelephoneFault } from "#messaging/index.ts";
import { gatherFaults, platformErrors } from "#platform/index.ts";
import { readSender } from "./read-sender.ts";
import type { NumberChannel, NumberKind } from "./sql.ts";

/** What a request for a number says. */
export interface NumberInput {
  value: string;
  /** Follows from the value; one that contradicts it is refused. */
  kind?: NumberKind;
  /** All that the number can do when absent. */
  channels?: readonly NumberChannel[];
  /** null or absent: wherever the project may send to. */
  countries?: readonly string[] | null;
  purpose?: string | null;
}

/** A number as it may be stored. */
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

/** Reads what is asked for. `strict` also asks that a telephone number is assigned by its country's plan. Throws parameter_invalid with all faults at once. */
export async function checkNumber(input: NumberInput, { strict }: { strict: boolean }): Promise<CheckedNumber> {
  const read = readValue(input.value, strict);
  const terms = typeof read === "string" ? null : read;
  await gatherFaults([
    () => {
      if (typeof read === "string") throw platformErrors.parameter_invalid({ param: "value", reason: read, message: sentences[read] });
    },
    () => {
      if (terms !== null && input.kind !== undefined && input.kind !== terms.kind)
        throw platformErrors.parameter_invalid({ param: "kind", reason: "other_kind", message: `This value is of the kind ${terms.kind}.` });
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

/** Calls come from telephone numbers alone. Throws parameter_invalid. */
export function checkChannels(value: string, channels: readonly NumberChannel[] | undefined): void {
  if (channels?.includes("call") === true && !value.startsWith("+"))
    throw platformErrors.parameter_invalid({ param: "channels", reason: "calls_need_telephones", message: "Calls can only come from phone numbers." });
}

/** Throws parameter_invalid for the first code that is no country's. */
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

/** The channels that were named, each once; else all that such a number can do. */
export function channelsOf(value: string, channels: readonly NumberChannel[] | undefined): NumberChannel[] {
  const able: readonly NumberChannel[] = value.startsWith("+") ? ["sms", "call"] : ["sms"];
  return able.filter((channel) => channels?.includes(channel) ?? true);
}

/** Each country once, in a fixed order. */
export function countriesOf(countries: readonly string[] | null | undefined): string[] | null {
  return countries == null ? null : [...new Set(countries)].sort();
}
