import { useMemo } from "react";
import { useLanguage } from "../../words/language.tsx";

/** The code of numbers that belong to no country. */
const nowhere = "ZZ";

/** A country by its code, in the reader's language. */
export function Country({ code }: { code: string }) {
  const name = useCountryName();
  if (code === nowhere) return <span className="soft">–</span>;
  return <>{name(code)}</>;
}

/** Returns a country's name in the reader's language for its code. */
export function useCountryName(): (code: string) => string {
  const { locale } = useLanguage();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: "region", fallback: "code" });
    return (code) => names.of(code) ?? code;
  }, [locale]);
}
