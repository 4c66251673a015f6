// The server and the web use the same file: `npm run generate` copies it. It imports nothing.

/** How a language is written, and how its readers write dates, numbers and lists. */
export interface LanguageInfo {
  /** Its name in settings, cookies and addresses. */
  tag: string;
  /** For the `lang` attribute of documents. */
  html: string;
  dir: "ltr" | "rtl";
  /** The format of dates and numbers if the reader's own isn't known. */
  locale: string;
  /** Its native name. */
  name: string;
  short: string;
  /** Between a label and its value. */
  colon: string;
  /** Between two sentences. */
  gap: string;
  /** Around a remark after a text. */
  aside: readonly [open: string, close: string];
  /** The currency of most of its readers, if there is one. */
  currency: string | null;
}

/** The languages of Tillpost, one per line. The first is the default, and the compiler checks all others against its words. */
export const languages = [
  {
    tag: "en",
    html: "en",
    dir: "ltr",
    locale: "en-US",
    name: "English",
    short: "EN",
    colon: ": ",
    gap: " ",
    aside: [" ", ""],
    currency: null,
  },
  {
    tag: "zh",
    html: "zh-CN",
    dir: "ltr",
    locale: "zh-CN",
    name: "中文",
    short: "中文",
    colon: "：",
    gap: "",
    aside: ["（", "）"],
    currency: "CNY",
  },
] as const satisfies readonly LanguageInfo[];

export type Language = (typeof languages)[number]["tag"];

export const firstLanguage = languages[0].tag;

/** The definition of a language. */
export function languageInfo(language: Language): LanguageInfo {
  return languages.find(({ tag }) => tag === language) ?? languages[0];
}

/** The language of a tag such as `zh-TW` or `en_US`; null if Tillpost doesn't have it. */
export function languageOf(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((one) => one.tag === primary)?.tag ?? null;
}

/**
 * For text that no reader sees: timestamps in fields and records (`2026-11-20 16:00:00`), and `Intl` calls whose result doesn't depend on
 * the language.
 */
export const isoLocale = "sv-SE";

/** The same keys in another language: a text, or a function that returns one. */
export type Alike<T> = T extends string
  ? string
  : {
      [key in keyof T]: T[key] extends string
        ? string
        : T[key] extends (...given: infer G) => string
          ? (...given: G) => string
          : Alike<T[key]>;
    };

export type Words<T> = Record<Language, T>;

type First = typeof firstLanguage;

/** A table of words in every language; the compiler refuses a missing key. */
export function defineWords<const T extends object | string>(
  words: Record<First, T> & Record<Exclude<Language, First>, Alike<NoInfer<T>>>,
): Words<Alike<T>> {
  return words as unknown as Words<Alike<T>>;
}
