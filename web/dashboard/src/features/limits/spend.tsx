import type { Objects } from "../../data/client.ts";
import { Section } from "../../parts/pages/page.tsx";
import { DayBars, Meter, nearlyUsed, shareOf } from "../../parts/shown/used.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { limitWords } from "./limits.words.ts";
import { isMoney, microsText } from "./values/amounts.ts";

type SpendOf = Objects["MessagingSpend"];
type Measure = SpendOf["measures"][number];

/** Spending of today and this month next to its caps, and of each of the last days. */
export function Spend({ spend: { currency, measures } }: { spend: SpendOf }) {
  return (
    <div className="spend">
      {measures.map((one) => (
        <Counted key={one.measure} measure={one} currency={isMoney(one.measure) ? currency : null} />
      ))}
    </div>
  );
}

function Counted({ measure: { measure, day, month, days }, currency }: { measure: Measure; currency: string | null }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  return (
    <Section title={words.measures[measure]}>
      <div className="spend-parts">
        <Part label={words.today} part={day} currency={currency} />
        <Part label={words.month} part={month} currency={currency} />
      </div>
      <DayBars days={days} words={words} text={(used) => microsText(locale, used, currency)} />
    </Section>
  );
}

function Part({ label, part: { used, cap, resets_at }, currency }: { label: string; part: Measure["day"]; currency: string | null }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const share = shareOf(used, cap);
  return (
    <div className="spend-part">
      <p className="soft">{label}</p>
      <p className="spend-line">
        <strong>{microsText(locale, used, currency)}</strong> <span className="soft">{words.of(microsText(locale, cap, currency))}</span>
      </p>
      <Meter share={share} />
      {share < nearlyUsed ? null : <p className="spend-warning">{share < 1 ? words.nearly : words.full}</p>}
      <p className="soft">
        {words.resets} <When at={resets_at} zoned />
      </p>
    </div>
  );
}
