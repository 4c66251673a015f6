import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Expected } from "./queue/expected.ts";
import { reviewWords } from "./review.words.ts";

/** The order's state after approving this amount, if it isn't simply paid. */
export function Outcome({ expected, currency, minor }: { expected: Expected; currency: string; minor: number | null }) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const { requestedMinor, owedMinor } = expected;
  const money = (sum: number) => moneyText(locale, sum, currency);
  if (minor !== null && minor < requestedMinor) return <p className="soft">{words.tooLittle(money(requestedMinor - minor))}</p>;
  return minor !== null && minor > owedMinor ? <p className="soft">{words.tooMuch(money(minor - owedMinor))}</p> : null;
}
