import type { Poison } from "./html.ts";

const openings =
  (piece: string, closing: string): Poison =>
  (length) =>
    piece.repeat(length / piece.length) + closing;

/** JSON that is deep, wide, repeated or long. */
export const poisonJson: Readonly<Record<string, Poison>> = {
  "lists in one another": openings("[", ""),
  "objects in one another": openings('{"a":', ""),
  "closed lists in one another": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "lists beside one another": (length) => `[${"[],".repeat(length / 3)}[]]`,
  keys: (length) => `{${Array.from({ length: length / 12 }, (_, n) => `"k${String(n).padStart(6, "0")}":1`).join(",")}}`,
  "one key again and again": (length) => `{${'"a":1,'.repeat(length / 6)}"a":1}`,
  escapes: (length) => `["${"\\u0041".repeat(length / 6)}"]`,
  "a long number": (length) => "1".repeat(length),
  "a long key over many values": (length) => `{"${"k".repeat(length / 2)}":[${'"\\u0041",'.repeat(length / 18)}1]}`,
};
