import type { Encoding } from "../transport.ts";
import { septetsOf } from "./gsm7.ts";

/** How a text is encoded and split. */
export interface SplitText {
  encoding: Encoding;
  /** The text of each part; joined they are the whole text. */
  segments: string[];
  /** Septets, or UCS-2 code units, of the whole text. */
  units: number;
  /** How many fit into one part, given the number of parts. */
  unitsPerSegment: number;
}

/** What fits into a message of one part, and into each part of a longer one, whose header takes the rest. */
export const sizes: Readonly<Record<Encoding, { single: number; each: number }>> = {
  "GSM-7": { single: 160, each: 153 },
  "UCS-2": { single: 70, each: 67 },
};

/** Splits a text into the parts that it is sent in, without cutting a character in two: neither an escape sequence nor a surrogate pair. */
export function splitText(text: string): SplitText {
  const characters = [...text];
  const encoding: Encoding = characters.every((character) => septetsOf(character) !== null) ? "GSM-7" : "UCS-2";
  const units = countUnits(text, encoding);
  const { single, each } = sizes[encoding];
  if (units <= single) return { encoding, segments: [text], units, unitsPerSegment: single };
  const segments: string[] = [];
  let [segment, filled] = ["", 0];
  for (const character of characters) {
    const more = countUnits(character, encoding);
    if (filled + more > each) {
      segments.push(segment);
      [segment, filled] = ["", 0];
    }
    segment += character;
    filled += more;
  }
  return { encoding, segments: [...segments, segment], units, unitsPerSegment: each };
}

/** How much of a part a text takes: septets, or UCS-2 code units. */
export function countUnits(text: string, encoding: Encoding): number {
  return encoding === "UCS-2" ? text.length : [...text].reduce((sum, character) => sum + (septetsOf(character)?.length ?? 0), 0);
}

/** The distinct characters of a text that prevent sending it as GSM-7. */
export function charactersBeyondGsm7(text: string): string[] {
  return [...new Set(text)].filter((character) => septetsOf(character) === null);
}
