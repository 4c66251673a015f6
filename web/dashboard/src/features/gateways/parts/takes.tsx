import { useHere } from "../../../data/here.tsx";
import { moneyText } from "../../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import type { Account, Gateway } from "./account.ts";
import { gatewayWords } from "./gateways.words.ts";

/** The currency in which an account's limits are shown: they are numbers of the smallest unit of whatever currency a payment has. */
export function useLimitCurrency(account: Pick<Account, "currencies">, gateway: Pick<Gateway, "currencies">): string {
  const { project } = useHere();
  const taken = account.currencies ?? gateway.currencies;
  return taken === null || taken.includes(project.default_currency) ? project.default_currency : (taken[0] ?? project.default_currency);
}

/** Which amounts an account takes, as one text. The currency's code follows, because several share a sign. */
export function useLimitText(account: Account, gateway: Pick<Gateway, "currencies">): string {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const currency = useLimitCurrency(account, gateway);
  const { min_minor: least, max_minor: most } = account.limits;
  const sum = (minor: number) => moneyText(locale, minor, currency);
  const inCurrency = (text: string) => all.labeled(text, currency);
  if (least !== null && most !== null) return inCurrency(words.between(sum(least), sum(most)));
  if (least !== null) return inCurrency(words.from(sum(least)));
  return most === null ? words.everything : inCurrency(words.upTo(sum(most)));
}
