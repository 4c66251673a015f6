import { normalForm } from "#platform/index.ts";

/** True for six digits that can be read as a day in one of the three common orders. */
function isDay(code: string): boolean {
  const [first, second, third] = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6)].map(Number) as [number, number, number];
  const fits = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return fits(second, third) || fits(second, first) || fits(first, second);
}

/**
 * A code for the transfer's note: five digits, or six that aren't a date. Shorter ones could be years or prices. `pick(n)` chooses from 0
 * to n - 1.
 */
export function makeCode(digits: 5 | 6, pick: (below: number) => number): string {
  for (;;) {
    const code = String(10 ** (digits - 1) + pick(9 * 10 ** (digits - 1)));
    if (digits === 5 || !isDay(code)) return code;
  }
}

/** A code found in a note. One that isn't `sure` only counts together with the exact amount that was requested with it. */
export interface CodeReading {
  code: string;
  /** False if blanks were removed next to other digits, or if the digits around it could be a phone number. */
  sure: boolean;
}

const phone = /^(?:(?:00)?86)?1[3-9]\d{9}$/;

/** How people split the eleven digits of a phone number: never with a first group of five or six, unlike a code next to a date. */
const phoneGroups = new Set(["11", "3-8", "3-4-4", "4-3-4", "4-4-3", "3-3-5", "3-5-3", "7-4", "3-3-3-2", "3-2-2-2-2", "3-4-2-2"]);

/**
 * Codes that a transfer's note may contain: each whole run of digits as typed, and neighboring runs that are only separated by blanks,
 * joined. Full-width digits count. Parts of a phone number aren't codes, however it is grouped.
 */
export function readCodes(note: string | null): CodeReading[] {
  if (note === null) return [];
  const found = new Map<string, boolean>();
  for (const [number] of normalForm(note, "NFKC").matchAll(/\d+(?:[\s\u200b\u2060\ufeff.()\-\u2010-\u2015]+\d+)*/g)) {
    const likeness = phoneLikeness(number.split(/\D+/));
    if (likeness === "phone") continue;
    for (const { code, sure } of number.split(/[.()\-\u2010-\u2015]+/).flatMap(codesOf))
      found.set(code, found.get(code) === true || (sure && likeness === "none"));
  }
  return [...found].map(([code, sure]) => ({ code, sure }));
}

function phoneLikeness(runs: readonly string[]): "phone" | "maybe" | "none" {
  if (!phone.test(runs.join(""))) return "none";
  const [first = "", ...others] = runs;
  const country = /^(?:00)?86(?=1|$)/.exec(first)?.[0] ?? "";
  const groups = [first.slice(country.length), ...others].filter((run) => run !== "");
  return phoneGroups.has(groups.map((run) => run.length).join("-")) ? "phone" : "maybe";
}

const longest = 6;

/**
 * The runs of a stretch of digits and blanks, and its joined neighboring runs, if they have a code's length. A single run, or all runs
 * joined, are sure.
 */
function codesOf(stretch: string): CodeReading[] {
  const runs = stretch.split(/\D+/).filter((run) => run !== "");
  return runs.flatMap((_run, from) =>
    runs.slice(from, from + longest).flatMap((_last, index) => {
      const code = runs.slice(from, from + index + 1).join("");
      return code.length >= 4 && code.length <= longest ? [{ code, sure: index === 0 || index === runs.length - 1 }] : [];
    }),
  );
}
