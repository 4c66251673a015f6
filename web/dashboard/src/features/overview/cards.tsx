import type { ReactNode } from "react";
import { useGatewayName } from "../../parts/filters/gateways.ts";
import { Money, moneyText } from "../../parts/shown/money.tsx";
import { spanText } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { DayBars } from "./day-bars.tsx";
import type { Figures } from "./figures.ts";
import { overviewWords } from "./overview.words.ts";

interface CardProps {
  figures: Figures;
  before: Figures | undefined;
}

/** One figure: its number, its change, and a chart. */
function Figure({
  label,
  number,
  change,
  note,
  wide,
  children,
}: {
  label: string;
  number: ReactNode;
  change?: string;
  note?: string;
  wide?: boolean;
  children?: ReactNode;
}) {
  return (
    <section className="figure" data-wide={wide === true}>
      <h2>{label}</h2>
      <p className="figure-line">
        <span className="figure-number">{number}</span>
        {change === undefined ? null : <span className="soft">{change}</span>}
      </p>
      {note === undefined ? null : <p className="soft">{note}</p>}
      {children}
    </section>
  );
}

export function VolumeCard({ figures, before, currency }: CardProps & { currency: string }) {
  const words = useWords(overviewWords);
  const { locale } = useLanguage();
  const change = useChange();
  const [sum, earlier] = [sumOf(figures, currency), before === undefined ? undefined : sumOf(before, currency)];
  const others = [...new Set(figures.days.map((day) => day.currency))].filter((one) => one !== currency);
  const back = sum.refunded === 0 ? "" : words.refunded(moneyText(locale, sum.refunded, currency));
  const taken = sum.disputed <= 0 ? "" : words.disputed(moneyText(locale, sum.disputed, currency));
  const otherCurrencies = others.map((one) => moneyText(locale, sumOf(figures, one).minor, one)).join(" · ");
  return (
    <Figure
      wide
      label={words.volume}
      number={<Money minor={sum.minor} currency={currency} size={40} />}
      change={earlier === undefined ? undefined : change(sum.minor - earlier.minor, (by) => moneyText(locale, by, currency))}
      note={[words.orders(sum.count), back, taken, otherCurrencies].filter((part) => part !== "").join(" · ")}
    >
      <DayBars figures={figures} currency={currency} />
    </Figure>
  );
}

export function SuccessCard({ figures, before }: CardProps) {
  const words = useWords(overviewWords);
  const { locale } = useLanguage();
  const change = useChange();
  const rate = rateOf(figures);
  const earlier = before === undefined ? null : rateOf(before);
  const { paid, ended } = figures.orders;
  return (
    <Figure
      label={words.success}
      number={rate === null ? "–" : new Intl.NumberFormat(locale, { style: "percent" }).format(rate)}
      change={rate === null || earlier === null ? undefined : change(Math.round(rate * 100) - Math.round(earlier * 100), words.points)}
      note={ended === 0 ? undefined : words.successNote(paid, ended)}
    >
      <span className="meter" aria-hidden="true">
        <span style={{ width: `${(rate ?? 0) * 100}%` }} />
      </span>
    </Figure>
  );
}

/** How long buyers waited, whether a person or a transfer confirmed their payments. */
export function ConfirmationCard({ figures, before }: CardProps) {
  const words = useWords(overviewWords);
  const { locale } = useLanguage();
  const change = useChange();
  const [now, earlier] = [figures.review_seconds, before?.review_seconds ?? null];
  const text = (seconds: number) => spanText(locale, seconds * 1_000);
  return (
    <Figure
      label={words.confirmation}
      number={now === null ? "–" : text(now)}
      change={now === null || earlier === null ? undefined : change(now - earlier, text)}
      note={words.confirmationNote}
    />
  );
}

export function ChannelsCard({ figures, currency }: { figures: Figures; currency: string }) {
  const words = useWords(overviewWords);
  const rows = figures.channels.filter((row) => row.currency === currency);
  const most = Math.max(...rows.map((row) => row.paid_minor), 1);
  const nameOf = useGatewayName();
  return (
    <section className="figure" data-wide="true">
      <h2>{words.channels}</h2>
      {rows.length === 0 ? <p className="soft">{words.noMoney}</p> : null}
      <ul className="channels">
        {rows.map((row) => (
          <li key={row.gateway}>
            <span>{nameOf(row.gateway)}</span>
            <span className="meter" aria-hidden="true">
              <span style={{ width: `${(row.paid_minor / most) * 100}%` }} />
            </span>
            <Money minor={row.paid_minor} currency={row.currency} />
            <span className="soft">{row.paid_count}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The change compared with the days before, in words. */
function useChange(): (by: number, say: (by: number) => string) => string {
  const words = useWords(overviewWords);
  return (by, say) => (by === 0 ? words.same : (by > 0 ? words.more : words.less)(say(Math.abs(by))));
}

function sumOf({ days }: Figures, currency: string): { minor: number; count: number; refunded: number; disputed: number } {
  const own = days.filter((day) => day.currency === currency);
  const total = (of: (day: Figures["days"][number]) => number) => own.reduce((sum, day) => sum + of(day), 0);
  return {
    minor: total((day) => day.paid_minor),
    count: total((day) => day.paid_count),
    refunded: total((day) => day.refunded_minor),
    disputed: total((day) => day.disputed_minor),
  };
}

function rateOf({ orders }: Figures): number | null {
  return orders.ended === 0 ? null : orders.paid / orders.ended;
}
