import { isoLocale } from "../../../language/languages.ts";

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** What a time zone's clock shows at a time, as `2026-11-20T16:00:00`. Without a zone, the reader's own clock. */
export function wallClock(at: Date, zone?: string): string {
  const parts = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat(isoLocale, { ...parts, ...(zone === undefined ? {} : { timeZone: zone }) });
  formats.set(zone, format);
  return format.format(at).replace(" ", "T");
}

/** In the format of date and time fields: `2026-11-20T16:00`. */
export function minuteOf(at: Date, zone?: string): string {
  return wallClock(at, zone).slice(0, 16);
}

/** In the format of date fields: `2026-11-20`. */
export function dateOf(at: Date, zone?: string): string {
  return wallClock(at, zone).slice(0, 10);
}

const dayMs = 86_400_000;

/**
 * When a time zone's clock shows a time. If that happens twice, the first; if clocks skip the time, as far after the gap as it is inside
 * it.
 */
export function instantOf(wall: string, zone?: string): Date {
  const shown = Date.parse(`${wall}Z`);
  const offsetAt = (ms: number) => Date.parse(`${wallClock(new Date(ms), zone)}Z`) - Math.floor(ms / 1000) * 1000 || 0;
  const [before = 0, after = 0] = [shown - dayMs, shown + dayMs].map((ms) => shown - offsetAt(ms));
  const isShownAt = (ms: number) => ms + offsetAt(ms) === shown;
  return new Date(!isShownAt(before) && isShownAt(after) ? after : before);
}

/** Midnight at the beginning of a date, or of the date `days` days after it. */
export function midnightOf(date: string, days = 0, zone?: string): Date {
  const day = new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs);
  return instantOf(day.toISOString().slice(0, 19), zone);
}

/** True if this browser knows a time zone. */
export function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat(isoLocale, { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

export function readerZone(): string {
  return new Intl.DateTimeFormat(isoLocale).resolvedOptions().timeZone;
}
