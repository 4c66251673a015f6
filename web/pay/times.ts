// Times in the buyer's own time zone and language, on a clock of 24 hours as in emails and in the dashboard.

/** Day and time; the time only when `short` and the day is today. */
export function momentText(at: Date, given: { now: Date; locale: string; short: boolean }): string {
  const { now, locale, short } = given;
  const today = short && at.toDateString() === now.toDateString();
  return at.toLocaleString(locale, { dateStyle: today ? undefined : "medium", timeStyle: "short", hourCycle: "h23" });
}

/** A time as people say it: `16:33`, `tomorrow 16:33`, `Nov 27, 2026, 16:33`. */
export function dayText(at: Date, given: { now: Date; locale: string }): string {
  const { now, locale } = given;
  const time = at.toLocaleTimeString(locale, { timeStyle: "short", hourCycle: "h23" });
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return time;
  if (days === 1) return `${new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(1, "day")} ${time}`;
  return momentText(at, { now, locale, short: false });
}

/** The remaining time, as a countdown. */
export function clockText(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Without blanks between Chinese characters, which a sentence leaves around a value that may as well be a number. */
export function closeUp(text: string): string {
  return text.replace(/([\u4e00-\u9fff）]) (?=[\u4e00-\u9fff])/g, "$1");
}
