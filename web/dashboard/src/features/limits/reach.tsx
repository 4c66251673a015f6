import type { Objects } from "../../data/client.ts";
import { Facts } from "../../parts/object-page.tsx";
import { Section } from "../../parts/page.tsx";
import { spanText } from "../../parts/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";

type Limits = Objects["MessagingLimits"];

/** What applies now: countries that are reached, and how often one number is. */
export function Reach({ limits: { countries, reachable_countries, recipient_pace } }: { limits: Limits }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const listed = (codes: readonly string[]) => words.listed(...codes.map((code) => names.of(code) ?? code));
  const closed = (countries ?? []).filter((code) => !reachable_countries.includes(code));
  const rules = (list: Limits["recipient_pace"]["sms"]) =>
    words.listed(...list.map(({ count, seconds }) => words.paceRule(count.toLocaleString(locale), spanText(locale, seconds * 1000))));
  return (
    <>
      <Section title={words.reachable}>
        <p>{reachable_countries.length === 0 ? words.nowhere : listed(reachable_countries)}</p>
        {closed.length === 0 ? null : <p className="soft">{words.notReached(listed(closed))}</p>}
      </Section>
      <Section title={words.pace}>
        <Facts facts={(["sms", "calls"] as const).map((kind) => ({ label: words.paces[kind], value: rules(recipient_pace[kind]) }))} />
      </Section>
    </>
  );
}
