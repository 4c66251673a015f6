import type { Search } from "./search.ts";

export const presets = ["1", "7", "30", "month", "last-month"] as const;
export type Preset = (typeof presets)[number];

/** Names that a span of days has in the page's address: a preset, or the first and the last day. */
export const periodNames = ["since", "from", "to"] as const;

interface Period {
  "created[gte]"?: string;
  "created[lt]"?: string;
}

/** The span of days in the page's address as the API asks for it. Days begin and end at the reader's midnight; the last one counts whole. */
export function periodOf({ since, from, to }: Search, now = new Date()): Period {
  const preset = [since ?? []].flat()[0];
  const day = (back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
  const month = (back: number) => new Date(now.getFullYear(), now.getMonth() - back, 1);
  if (preset === "month") return between(month(0), null);
  if (preset === "last-month") return between(month(1), month(0));
  if (preset !== undefined && /^\d{1,3}$/.test(preset)) return between(day(Math.max(Number(preset), 1) - 1), null);
  return between(dayOf(from, 0), dayOf(to, 1));
}

function between(first: Date | null, end: Date | null): Period {
  return { ...(first === null ? {} : { "created[gte]": first.toISOString() }), ...(end === null ? {} : { "created[lt]": end.toISOString() }) };
}

/** Midnight of a day as date fields write it, or of one after it; null for what is none. */
export function dayOf(text: Search[string], after: number): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec([text ?? []].flat()[0] ?? "");
  return match === null ? null : new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + after);
}
