import { useLanguage } from "../words/language.tsx";

/** What numbers of no country have. */
const nowhere = "ZZ";

/** A country by its code, in the reader's language. */
export function Country({ code }: { code: string }) {
  const { locale } = useLanguage();
  if (code === nowhere) return <span className="soft">–</span>;
  return <>{new Intl.DisplayNames(locale, { type: "region", fallback: "code" }).of(code)}</>;
}
