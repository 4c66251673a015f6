import type { Objects } from "../../data/client.ts";
import { Section } from "../../parts/page.tsx";
import { When } from "../../parts/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { isMoney, microsText } from "./amounts.ts";
import { limitWords } from "./limits.words.ts";

type SpendOf = Objects["MessagingSpend"];
type Measure = SpendOf["measures"][number];
type Part = Measure["day"];

/** From here on a meter warns. */
const nearlyUsed = 0.8;

/** What was spent today and this month beside its caps, and on each of the last days. */
export function Spend({ spend: { currency, measures } }: { spend: SpendOf }) {
  const words = useWords(limitWords);
  return (
    <div className="spend">
      {measures.map((one) => (
        <Section key={one.measure} title={words.measures[one.measure]}>
          <div className="spend-parts">
            <Meter label={words.today} part={one.day} currency={isMoney(one.measure) ? currency : null} />
            <Meter label={words.month} part={one.month} currency={isMoney(one.measure) ? currency : null} />
          </div>
          <Days days={one.days} currency={isMoney(one.measure) ? currency : null} />
        </Section>
      ))}
    </div>
  );
}

function Meter({ label, part: { used, cap, resets_at }, currency }: { label: string; part: Part; currency: string | null }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const text = (amount: number) => microsText(locale, amount, currency);
  const share = cap === null ? 0 : cap === 0 ? 1 : Math.min(used / cap, 1);
  return (
    <div className="spend-part">
      <p className="soft">{label}</p>
      <p className="spend-line">
        <strong>{text(used)}</strong> <span className="soft">{cap === null ? words.noCap : words.of(text(cap))}</span>
      </p>
      <span className="spend-meter" data-full={share >= nearlyUsed} aria-hidden="true">
        {share > 0 ? <span style={{ width: `${share * 100}%` }} /> : null}
      </span>
      <p className="soft">
        {share >= 1 ? `${words.full}. ` : null}
        {words.resets} <When at={resets_at} />
      </p>
    </div>
  );
}

function Days({ days, currency }: { days: Measure["days"]; currency: string | null }) {
  const words = useWords(limitWords);
  const { locale } = useLanguage();
  const most = Math.max(...days.map(({ used }) => used));
  if (most === 0) return <p className="soft spend-none">{words.noDays}</p>;
  const highest = days.findLastIndex(({ used }) => used === most);
  const short = (day: string | undefined) => new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  return (
    <figure className="spend-days" aria-label={words.days}>
      <ol>
        {days.map(({ day, used }, index) => {
          const label = words.dayLabel(short(day), microsText(locale, used, currency));
          return (
            <li key={day} title={label}>
              {index === highest ? <span className="spend-label">{microsText(locale, used, currency)}</span> : null}
              <span className="spend-bar" style={{ height: `${(used / most) * 100}%` }}>
                <span className="unseen">{label}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <figcaption className="spread soft">
        <span>{short(days[0]?.day)}</span>
        <span>{short(days.at(-1)?.day)}</span>
      </figcaption>
    </figure>
  );
}
