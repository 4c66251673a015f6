import { dateOf, midnightOf } from "../../data/zone.ts";
import type { Search } from "./search.ts";

export const presets = ["1", "7", "30", "month", "last-month"] as const;
export type Preset = (typeof presets)[number];

/** Parameters of a range of days in the page's URL: a preset, or the first and the last day. */
export const periodNames = ["since", "from", "to"] as const;

interface Period {
  "created[gte]"?: string;
  "created[lt]"?: string;
}

/** The range of days in the page's URL as the API expects it. Days begin and end at midnight in the zone; the last one is included. */
export function periodOf({ since, from, to }: Search, zone: string | undefined, now = new Date()): Period {
  const preset = [since ?? []].flat()[0];
  const today = dateOf(now, zone);
  const day = (back: number) => midnightOf(today, -back, zone);
  const month = (back: number) => midnightOf(monthBefore(today, back), 0, zone);
  if (preset === "month") return between(month(0), null);
  if (preset === "last-month") return between(month(1), month(0));
  if (preset !== undefined && /^\d{1,3}$/.test(preset)) return between(day(Math.max(Number(preset), 1) - 1), null);
  return between(dayOf(from, 0, zone), dayOf(to, 1, zone));
}

function between(first: Date | null, end: Date | null): Period {
  return {
    ...(first === null ? {} : { "created[gte]": first.toISOString() }),
    ...(end === null ? {} : { "created[lt]": end.toISOString() }),
  };
}

/** The first day of a month, or of an earlier one. */
function monthBefore(date: string, back: number): string {
  const [year = 0, month = 0] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10);
}

/** Midnight of a day in the format of date fields, or of a later one; null if the text isn't a date. */
export function dayOf(text: Search[string], after: number, zone: string | undefined): Date | null {
  const date = [text ?? []].flat()[0] ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date)) ? midnightOf(date, after, zone) : null;
}
