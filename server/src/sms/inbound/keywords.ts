import { type Language, languages } from "#platform/index.ts";
import type { Keyword } from "../shapes.ts";
import { shortStops, stopsElsewhere, words } from "./words.ts";

interface Asked {
  keyword: Keyword;
  /** In which language it is answered. */
  language: Language;
}

const kinds = ["stop", "start", "help"] as const satisfies Keyword[];
/** A longer message is more than a keyword. Additions by handsets, such as a line of spaces, are much shorter. */
const longest = 1_000;

let known: ReadonlyMap<string, Asked> | undefined;

/** Read when it is first asked for, because tests add a language of their own while modules load. A word of two languages is the first one's. */
function knownWords(): ReadonlyMap<string, Asked> {
  known ??= new Map<string, Asked>([
    ...stopsElsewhere.words.map((word) => [fold(word), { keyword: "stop", language: stopsElsewhere.language }] as const),
    ...languages
      .toReversed()
      .flatMap(({ tag }) => kinds.flatMap((keyword) => words[tag][keyword].split(" ").map((word) => [fold(word), { keyword, language: tag }] as const))),
  ]);
  return known;
}

/** What a message asks for, and in which language: it says one of the words, and nothing else but what `fold` takes away. null if it is about something else. */
export function readKeyword(body: string, { from }: { from: string }): Asked | null {
  if (body.length > longest) return null;
  const word = fold(body);
  if (shortStops.words.has(word)) return from.startsWith(shortStops.callingCode) ? { keyword: "stop", language: shortStops.language } : null;
  return knownWords().get(word) ?? null;
}

/** A word in comparable form: in one width and one case, without spaces, punctuation, emoji, accents, and invisible characters. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[\s\p{P}\p{S}\p{C}\p{Mn}]/gu, "");
}
