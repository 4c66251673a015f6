import { type ErrorDetail, platformErrors } from "./errors.ts";

/** Prefixes and lengths of the card schemes' ranges; just a checksum would refuse one legitimate order number in ten. */
const ranges: readonly [prefix: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(6011|64[4-9]|65|622)/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^35(2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^3(0[0-5]|[689])/, [14, 16, 19]],
];
const forbiddenKeys = /^(card|pan|cvc|cvv|card_?number)$/i;

/** True if the text contains a number with a card range's prefix, length and checksum; spaces and dashes inside are ignored. */
export function holdsCardNumber(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(/\d(?:[ -]?\d){12,}/g)) {
    // Digits next to letters are part of a name.
    const first = /[A-Za-z]/.test(text.charAt(index - 1)) ? 1 : 0;
    const last = /[A-Za-z]/.test(text.charAt(index + run.length)) ? -1 : undefined;
    if (isCardAmong(run.split(/[ -]/).slice(first, last))) return true;
  }
  return false;
}

/** People write the expiry date or a second number right after the first, so any neighboring groups of digits may be the card. */
function isCardAmong(groups: string[]): boolean {
  for (let from = 0; from < groups.length; from += 1) {
    let digits = "";
    for (let to = from; to < groups.length; to += 1) {
      digits += groups[to];
      if (digits.length > 19) break;
      if (isInRange(digits) && hasChecksum(digits)) return true;
    }
  }
  return false;
}

/** Masks card-like runs, for logs. */
export function maskCardNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){12,}/g, (run) => (holdsCardNumber(run) ? `[card …${run.slice(-4)}]` : run));
}

/** Throws card_number_refused naming every text that holds a card number. */
export function refuseCardNumbers(texts: Record<string, string | null | undefined>): void {
  const faulty = Object.keys(texts).filter((name) => holdsCardNumber(texts[name] ?? ""));
  refuse(faulty);
}

/** Throws card_number_refused for metadata whose keys or values look like card data. */
export function refuseCardMetadata(metadata: Record<string, string>): void {
  refuse(cardFields(metadata));
}

/** A fault for each metadata key that looks like card data, or whose value does. */
export function cardFaults(metadata: Record<string, string>): ErrorDetail[] {
  return cardFields(metadata).map(faultOf);
}

function cardFields(metadata: Record<string, string>): string[] {
  return Object.entries(metadata).flatMap(([key, value]) => (forbiddenKeys.test(key) || holdsCardNumber(value) ? [`metadata.${key}`] : []));
}

function refuse(params: string[]): void {
  const [param] = params;
  if (param !== undefined) throw platformErrors.card_number_refused({ param, details: params.map(faultOf) });
}

function faultOf(param: string): ErrorDetail {
  return { param, code: "card_number_refused", reason: "card_number", message: "Don't send card data to this system." };
}

function isInRange(digits: string): boolean {
  return ranges.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length));
}

function hasChecksum(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
