// The same file serves the server and the web: `npm run generate` copies it. It imports nothing.

/** How a language is written, and how its readers write dates, numbers and lists. */
export interface LanguageInfo {
  /** Names it in settings, cookies and addresses. */
  tag: string;
  /** For the `lang` attribute of documents. */
  html: string;
  dir: "ltr" | "rtl";
  /** The form of dates and numbers where the reader's own is not known. */
  locale: string;
  /** In its own words. */
  name: string;
  short: string;
  /** Between a label and its value. */
  colon: string;
  /** Between two sentences. */
  gap: string;
  /** Around a remark behind a text. */
  aside: readonly [open: string, close: string];
  /** What most of its readers pay in, where that can be said. */
  currency: string | null;
}

/** The languages that Tillpost speaks, one a line. The first is used where no other is known, and its words are what the compiler checks all others against. */
export const languages = [
  { tag: "en", html: "en", dir: "ltr", locale: "en-GB", name: "English", short: "EN", colon: ": ", gap: " ", aside: [" ", ""], currency: null },
  { tag: "zh", html: "zh-CN", dir: "ltr", locale: "zh-CN", name: "中文", short: "中文", colon: "：", gap: "", aside: ["（", "）"], currency: "CNY" },
] as const satisfies readonly LanguageInfo[];

export type Language = (typeof languages)[number]["tag"];

export const firstLanguage = languages[0].tag;

/** What is known of a language. */
export function languageInfo(language: Language): LanguageInfo {
  return languages.find(({ tag }) => tag === language) ?? languages[0];
}

/** The language that a tag such as `zh-TW` or `en_US` asks for; null if Tillpost does not speak it. */
export function languageOf(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((one) => one.tag === primary)?.tag ?? null;
}

/** For what no reader sees: times as fields and records take them (`2026-11-20 16:00:00`), and questions to `Intl` whose answer no language changes. */
export const isoLocale = "sv-SE";

/** The same keys in another language: a text, or a function that makes one. */
export type Alike<T> = T extends string
  ? string
  : { [key in keyof T]: T[key] extends string ? string : T[key] extends (...given: infer G) => string ? (...given: G) => string : Alike<T[key]> };

export type Words<T> = Record<Language, T>;

type First = typeof firstLanguage;

/** A table of words in every language; the compiler refuses a key that one of them lacks. */
export function defineWords<const T extends object | string>(words: Record<First, T> & Record<Exclude<Language, First>, Alike<NoInfer<T>>>): Words<Alike<T>> {
  return words as unknown as Words<Alike<T>>;
}
