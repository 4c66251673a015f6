import { normalForm } from "#platform/index.ts";
import { septetsOf } from "./gsm7.ts";

const groups: readonly (readonly [plain: string, typographic: string])[] = [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u0060\u00b4"],
  ['"', "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  ["...", "\u2026"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
  ["", "\u200b\u2060\ufeff\u00ad"],
  ["*", "\u2022\u00b7"],
  ["<", "\u2039"],
  [">", "\u203a"],
];

const plainOf = new Map(groups.flatMap(([plain, typographic]) => [...typographic].map((character) => [character, plain] as const)));

/**
 * The text as it is sent: with composed characters, and with `smart`, typographic characters replaced by plain ones if the whole text then
 * fits GSM-7.
 */
export function normalizeText(text: string, { smart }: { smart: boolean }): string {
  const composed = normalForm(text, "NFC");
  if (!smart) return composed;
  const plain = [...composed].map((character) => plainOf.get(character) ?? character).join("");
  return [...plain].every((character) => septetsOf(character) !== null) ? plain : composed;
}
