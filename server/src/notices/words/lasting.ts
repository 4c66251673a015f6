import { counted, type Language } from "#platform/index.ts";

type Unit = "day" | "hour" | "minute";

const inChinese: Record<Unit, string> = { day: "天", hour: "小时", minute: "分钟" };
const written: Record<Language, (count: number, unit: Unit) => string> = {
  en: counted,
  zh: (count, unit) => `${count} ${inChinese[unit]}`,
};

/** A duration in the largest unit that expresses it as a whole number: 90 minutes, 24 hours, 3 days. One day is given in hours. */
export function lasting(lang: Language, minutes: number): string {
  if (minutes % 1440 === 0 && minutes > 1440) return written[lang](minutes / 1440, "day");
  return minutes % 60 === 0 ? written[lang](minutes / 60, "hour") : written[lang](minutes, "minute");
}
