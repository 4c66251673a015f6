import { useLanguage, useWords } from "../../words/language.tsx";
import { verificationWords } from "./verifications.words.ts";

/** Returns a country's name for its code, including numbers that belong to no country; addresses have none. */
export function useCountry(): (code: string | null) => string {
  const words = useWords(verificationWords);
  const { locale } = useLanguage();
  const names = new Intl.DisplayNames(locale, { type: "region" });
  return (code) => (code === null ? "" : code === "ZZ" ? words.unknownCountry : (names.of(code) ?? code));
}
