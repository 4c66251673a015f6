import { useLanguage } from "../../words/language.tsx";
import "./used.css";

/** A meter warns from here on. */
export const nearlyUsed = 0.8;

/** How much of an allowance is used, from 0 to 1. The number is next to it. */
export function Meter({ share }: { share: number }) {
  return (
    <span className="usage-meter" data-full={share >= nearlyUsed} aria-hidden="true">
      {share > 0 ? <span style={{ width: `${share * 100}%` }} /> : null}
    </span>
  );
}

/** The used share of an allowance; 1 if nothing is allowed. */
export function shareOf(used: number, allowed: number): number {
  return allowed === 0 ? 1 : Math.min(used / allowed, 1);
}

interface DayBarsProps {
  days: readonly { day: string; used: number }[];
  words: { days: string; noDays: string; dayLabel(day: string, used: string): string };
  /** The used amount, as the reader writes it. */
  text(used: number): string;
}

/** One bar per day, the highest labeled, with the first and the last day and the period named. */
export function DayBars({ days, words, text }: DayBarsProps) {
  const { locale } = useLanguage();
  const most = Math.max(...days.map(({ used }) => used));
  const highest = days.findLastIndex(({ used }) => used === most);
  const short = (day: string | undefined) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  if (most === 0) return <p className="soft usage-none">{words.noDays}</p>;
  return (
    <figure className="usage-days" aria-label={words.days}>
      <ol>
        {days.map(({ day, used }, index) => (
          <li key={day} title={words.dayLabel(short(day), text(used))}>
            {index === highest ? <span className="usage-label">{text(used)}</span> : null}
            <span className="usage-bar" style={{ height: `${(used / most) * 100}%` }}>
              <span className="unseen">{words.dayLabel(short(day), text(used))}</span>
            </span>
          </li>
        ))}
      </ol>
      <figcaption className="spread soft">
        <span>{short(days[0]?.day)}</span>
        <span>{words.days}</span>
        <span>{short(days.at(-1)?.day)}</span>
      </figcaption>
    </figure>
  );
}
