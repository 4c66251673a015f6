import { useEffect, useState } from "react";
import { useZone } from "../../data/here.tsx";
import { dateOf } from "../../data/zone.ts";
import { spaceOut } from "../../words/close-up.ts";
import { useLanguage } from "../../words/language.tsx";

interface WhenProps {
  at: string | null;
  long?: boolean;
  /** Names the time zone, for times that another clock sets, such as UTC's midnight. */
  zoned?: boolean;
}

/** A time on the project's clock, or the reader's: today's without the date. The full time, with seconds, on hover. */
export function When({ at, long = false, zoned = false }: WhenProps) {
  const { locale } = useLanguage();
  const zone = useZone();
  if (at === null) return <span className="soft">–</span>;
  const time = new Date(at);
  const [day, today] = [time, new Date()].map((one) => dateOf(one, zone)) as [string, string];
  const isToday = day === today;
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" as const };
  const short = isToday && !long ? {} : { month: "short" as const, day: "numeric" as const, ...year };
  const clock = {
    hour: "2-digit" as const,
    minute: "2-digit" as const,
    ...(long ? { second: "2-digit" as const } : {}),
    ...(zoned ? { timeZoneName: "short" as const } : {}),
    hourCycle: "h23" as const,
  };
  const inZone = zone === undefined ? {} : { timeZone: zone };
  return (
    <time dateTime={at} title={formatter(locale, { dateStyle: "full", timeStyle: "long", ...inZone }).format(time)} className="when">
      {formatter(locale, { ...short, ...clock, ...inZone }).format(time)}
    </time>
  );
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating one takes longer than everything else in a list's row. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}

/** How long ago, in the largest fitting unit; updates itself. */
export function Ago({ at }: { at: string }) {
  return <Past at={at} text={agoText} />;
}

/** How long something has waited: "8 days"; updates itself. */
export function Waited({ since }: { since: string }) {
  return <Past at={since} text={spanText} />;
}

function Past({ at, text }: { at: string; text(locale: string, ms: number): string }) {
  const { locale } = useLanguage();
  const zone = useZone();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(locale, zone === undefined ? {} : { timeZone: zone })}>
      {text(locale, now - Date.parse(at))}
    </time>
  );
}

/** How long a request took, in milliseconds; a dash if unknown. */
export function Took({ ms }: { ms: number | null }) {
  const { locale } = useLanguage();
  if (ms === null) return <span className="soft">–</span>;
  return <span className="soft">{spaceOut(new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond" }).format(ms))}</span>;
}

/** A duration as text: "4 minutes". */
export function spanText(locale: string, ms: number): string {
  const [value, unit] = inUnits(ms);
  return spaceOut(new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value));
}

function agoText(locale: string, ms: number): string {
  const [value, unit] = inUnits(ms);
  return spaceOut(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-value, unit));
}

function inUnits(ms: number): [number, "second" | "minute" | "hour" | "day"] {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return [seconds, "second"];
  if (seconds < 3_600) return [Math.round(seconds / 60), "minute"];
  if (seconds < 172_800) return [Math.round(seconds / 3_600), "hour"];
  return [Math.round(seconds / 86_400), "day"];
}
