import { type Poison, times } from "./html.ts";

/** Different pieces, in order: sorting others takes a little longer than linear time. */
export const numbered = (length: number, make: (number: string) => string): string =>
  Array.from({ length: Math.floor(length / make("000000").length) }, (_none, n) => make(String(n).padStart(6, "0"))).join("");

/** Forms that are wide, repeated or long. */
export const poisonForms: Readonly<Record<string, Poison>> = {
  "many fields": (length) => numbered(length, (number) => `k${number}=v&`),
  "one field again and again": (length) => times("a=1&", length),
  "one name with many values": (length) => numbered(length, (number) => `a=${number}&`),
  "percent escapes": (length) => `a=${times("%41", length)}`,
  percents: (length) => `a=${times("%", length)}`,
  blanks: (length) => `a=${times("+", length)}`,
  separators: (length) => times("&", length),
};
