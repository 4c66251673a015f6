import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { firstLanguage, type Language, languageInfo, languageOf, type Words } from "../../../language/languages.ts";
import { browserLocales, localeFor } from "../../../language/locale.ts";
import { readChoice, writeChoice } from "./choices.ts";

export { defineWords, type Language, languageInfo, languages, type Words } from "../../../language/languages.ts";

interface Chosen {
  language: Language;
  /** The reader's regional variant of the language, for dates and numbers. */
  locale: string;
  choose(language: Language): void;
}

const Context = createContext<Chosen | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(readLanguage);
  useEffect(() => {
    const { html, dir } = languageInfo(language);
    Object.assign(document.documentElement, { lang: html, dir });
  }, [language]);
  const chosen = useMemo<Chosen>(
    () => ({
      language,
      locale: localeIn(language),
      choose(next) {
        writeChoice("language", next);
        setLanguage(next);
      },
    }),
    [language],
  );
  return <Context value={chosen}>{children}</Context>;
}

export function useLanguage(): Chosen {
  const chosen = use(Context);
  if (chosen === null) throw new Error("outside of LanguageProvider");
  return chosen;
}

/** The table in the language of the page. */
export function useWords<T>(words: Words<T>): T {
  return words[useLanguage().language];
}

/** The reader's regional variant of a language, or the language's default. */
export function localeIn(language: Language): string {
  return localeFor(languageInfo(language).html);
}

function readLanguage(): Language {
  return (
    languageOf(readChoice("language")) ??
    browserLocales()
      .map(languageOf)
      .find((one) => one !== null) ??
    firstLanguage
  );
}
