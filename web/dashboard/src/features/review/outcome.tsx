import { moneyText } from "../../parts/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { expectedOf } from "./expected.ts";
import { reviewWords } from "./review.words.ts";
import type { Waiting } from "./use-queue.ts";

/** What the order will be once this sum is approved, where it is not simply paid. */
export function Outcome({ order, minor }: { order: Waiting; minor: number | null }) {
  const words = useWords(reviewWords);
  const { locale } = useLanguage();
  const { askedMinor, owedMinor } = expectedOf(order);
  const money = (sum: number) => moneyText(locale, sum, order.currency);
  if (minor !== null && minor < askedMinor) return <p className="soft">{words.tooLittle(money(askedMinor - minor))}</p>;
  return minor !== null && minor > owedMinor ? <p className="soft">{words.tooMuch(money(minor - owedMinor))}</p> : null;
}
