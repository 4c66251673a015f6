import { moneyText } from "../../parts/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import type { Figures } from "./figures.ts";
import { overviewWords } from "./overview.words.ts";

const dayMs = 86_400_000;

/** A bar a day, the highest labelled, the first and the last day named. */
export function DayBars({ figures, currency }: { figures: Figures; currency: string }) {
  const words = useWords(overviewWords);
  const { locale } = useLanguage();
  const byDay = new Map(figures.days.filter((row) => row.currency === currency).map((row) => [row.day, row]));
  const end = Date.parse(figures.to);
  const days = Math.round((end - Date.parse(figures.from)) / dayMs);
  const all = Array.from({ length: days }, (_none, index) => new Date(end - (days - index) * dayMs)).map((date) => ({ date, row: byDay.get(keyOf(date)) }));
  const most = Math.max(...all.map(({ row }) => row?.paid_minor ?? 0));
  const { format: short } = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
  if (most === 0) return <p className="soft bars-empty">{words.noMoney}</p>;
  return (
    <figure className="bars" aria-label={words.chart(days)}>
      <ol>
        {all.map(({ date, row }) => {
          const label = words.dayLabel(short(date), moneyText(locale, row?.paid_minor ?? 0, currency), row?.paid_count ?? 0);
          return (
            <li key={keyOf(date)} title={label}>
              {row?.paid_minor === most ? <span className="bar-label">{moneyText(locale, most, currency)}</span> : null}
              <span className="bar" style={{ height: `${((row?.paid_minor ?? 0) / most) * 100}%` }}>
                <span className="unseen">{label}</span>
              </span>
            </li>
          );
        })}
      </ol>
      <figcaption className="spread soft">
        <span>{short(all[0]?.date ?? new Date(end))}</span>
        <span>{short(all.at(-1)?.date ?? new Date(end))}</span>
      </figcaption>
    </figure>
  );
}

/** The reader's own day, as the server was asked to count it. */
function keyOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
