import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { browserLocales, localeFor } from "../../../language/locale.ts";
import { readChoice, writeChoice } from "./choices.ts";

export type Language = "en" | "zh";

/** The same keys in both languages: a text, or a function that makes one. */
type Alike<T> = { [key in keyof T]: T[key] extends string ? string : T[key] extends (...given: infer G) => string ? (...given: G) => string : Alike<T[key]> };

export interface Words<T> {
  en: T;
  zh: Alike<T>;
}

/** A table of words; the compiler refuses a key that one language lacks. */
export function defineWords<const T extends object>(en: T, zh: Alike<T>): Words<Alike<T>> {
  return { en: en as unknown as Alike<T>, zh: zh as Alike<Alike<T>> };
}

interface Chosen {
  language: Language;
  /** The reader's own form of the language, for dates and numbers. */
  locale: string;
  choose(language: Language): void;
}

const Context = createContext<Chosen | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
  const chosen = useMemo<Chosen>(
    () => ({
      language,
      locale: localeFor(language === "zh" ? "zh-CN" : "en"),
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
  return words[useLanguage().language] as T;
}

function firstLanguage(): Language {
  const chosen = readChoice("language");
  if (chosen === "en" || chosen === "zh") return chosen;
  return browserLocales()
    .find((one) => /^(zh|en)/.test(one))
    ?.startsWith("zh") === true
    ? "zh"
    : "en";
}
