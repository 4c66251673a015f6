import { type Language, languages } from "#platform/index.ts";
import type { Keyword } from "../shapes.ts";
import { shortStops, stopsElsewhere, words } from "./words.ts";

interface KeywordMatch {
  keyword: Keyword;
  /** The language of the reply. */
  language: Language;
}

const kinds = ["stop", "start", "help"] as const satisfies Keyword[];
/** A longer message is more than a keyword. What handsets add, such as a line of spaces, is much shorter. */
const longest = 1_000;

let known: ReadonlyMap<string, KeywordMatch> | undefined;

/** Read on first use, because tests add a language while modules load. A word of two languages belongs to the first one. */
function knownWords(): ReadonlyMap<string, KeywordMatch> {
  known ??= new Map<string, KeywordMatch>([
    ...stopsElsewhere.words.map((word) => [fold(word), { keyword: "stop", language: stopsElsewhere.language }] as const),
    ...languages
      .toReversed()
      .flatMap(({ tag }) =>
        kinds.flatMap((keyword) => words[tag][keyword].split(" ").map((word) => [fold(word), { keyword, language: tag }] as const)),
      ),
  ]);
  return known;
}

/**
 * What a message requests, and in which language: it must consist of one of the words, apart from what `fold` removes. null if it is about
 * something else.
 */
export function readKeyword(body: string, { from }: { from: string }): KeywordMatch | null {
  if (body.length > longest) return null;
  const word = fold(body);
  if (shortStops.words.has(word))
    return from.startsWith(shortStops.callingCode) ? { keyword: "stop", language: shortStops.language } : null;
  return knownWords().get(word) ?? null;
}

/** A word in comparable form: in one width and one case, without spaces, punctuation, emoji, accents, and invisible characters. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[\s\p{P}\p{S}\p{C}\p{Mn}]/gu, "");
}
