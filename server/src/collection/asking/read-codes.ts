/** Six digits that read as a day in one of the three ways people write one. */
function isDay(code: string): boolean {
  const [first, second, third] = [code.slice(0, 2), code.slice(2, 4), code.slice(4, 6)].map(Number) as [number, number, number];
  const fits = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return fits(second, third) || fits(second, first) || fits(first, second);
}

/** A code for the transfer's note: five digits, or six that are no date. Nothing shorter, because years and prices are. `pick(n)` chooses from 0 to n - 1. */
export function makeCode(digits: 5 | 6, pick: (below: number) => number): string {
  for (;;) {
    const code = String(10 ** (digits - 1) + pick(9 * 10 ** (digits - 1)));
    if (digits === 5 || !isDay(code)) return code;
  }
}

const phone = /^(?:86)?1[3-9]\d{9}$/;

/**
 * Codes that a transfer's note may hold: each whole run of digits as it was typed, and runs that only blanks part, joined. Full-width digits
 * count. The parts of a phone number written in groups are no codes.
 */
export function readCodes(note: string | null): string[] {
  if (note === null) return [];
  const codes = new Set<string>();
  for (const joined of note.normalize("NFKC").matchAll(/\d+(?:[\s\u200b\u2060\ufeff]+\d+)*/g)) {
    const runs = joined[0].split(/[^\d]+/);
    const whole = runs.join("");
    if (phone.test(whole)) continue;
    for (const run of [...runs, whole]) if (run.length >= 4 && run.length <= 6) codes.add(run);
  }
  return [...codes];
}
