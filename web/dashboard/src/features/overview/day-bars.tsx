import { dateOf } from "../../data/zone.ts";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Figures } from "./figures.ts";
import { overviewWords } from "./overview.words.ts";

const dayMs = 86_400_000;

/** One bar per day, the highest labeled, with the first and the last day named. */
export function DayBars({ figures, currency }: { figures: Figures; currency: string }) {
  const words = useWords(overviewWords);
  const { locale } = useLanguage();
  const byDay = new Map(figures.days.filter((row) => row.currency === currency).map((row) => [row.day, row]));
  const days = Math.round((Date.parse(figures.to) - Date.parse(figures.from)) / dayMs);
  const first = dateOf(new Date(figures.from), figures.time_zone);
  const all = Array.from({ length: days }, (_none, index) => dayAfter(first, index)).map((day) => ({ day, row: byDay.get(day) }));
  const most = Math.max(...all.map(({ row }) => row?.paid_minor ?? 0));
  const format = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  const short = (day: string) => format.format(new Date(day));
  if (most === 0) return <p className="soft bars-empty">{words.noMoney}</p>;
  return (
    <figure className="bars" aria-label={words.chart(days)}>
      <ol>
        {all.map(({ day, row }) => {
          const label = words.dayLabel(short(day), moneyText(locale, row?.paid_minor ?? 0, currency), row?.paid_count ?? 0);
          return (
            <li key={day} title={label}>
              {row?.paid_minor === most ? <span className="bar-label">{moneyText(locale, most, currency)}</span> : null}
              <span className="bar" style={{ height: `${((row?.paid_minor ?? 0) / most) * 100}%` }}>
                <span className="unseen">{label}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <figcaption className="spread soft">
        <span>{short(first)}</span>
        <span>{short(dayAfter(first, days - 1))}</span>
      </figcaption>
    </figure>
  );
}

/** Counts dates without a zone, in which a day may have 23 or 25 hours. */
function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}
