import { type Language, type LanguageInfo, languages } from "#platform/languages/languages.ts";

/**
 * A pseudo-language: English with an accent on every letter, 40 % longer and from right to left. Text without accents isn't in any table of
 * words.
 */
export const pseudoInfo: LanguageInfo = {
  ...{ tag: "qp", html: "ar", dir: "rtl", locale: "ar-AE" },
  ...{ name: "Ṕśéúďó", short: "ṔŚ", colon: ": ", gap: " ", aside: [" [", "]"], currency: null },
};
export const pseudo = pseudoInfo.tag as Language;

/** A language's one line in the list. Must run before anything that reads the list when it is loaded. */
(languages as unknown as LanguageInfo[]).push(pseudoInfo);
