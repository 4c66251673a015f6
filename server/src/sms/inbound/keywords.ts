import { type Language, languages } from "#platform/index.ts";
import type { Keyword } from "../shapes.ts";
import { shortStops, words } from "./words.ts";

const kinds = ["stop", "start", "help"] as const satisfies Keyword[];
const longest = 40;

type Known = ReadonlyMap<string, { keyword: Keyword; language: Language }>;
let known: Known | undefined;

/** Read when it is first asked for, because tests add a language of their own while modules load. */
function knownWords(): Known {
  known ??= new Map(
    languages.flatMap(({ tag }) => kinds.flatMap((keyword) => words[tag][keyword].split(" ").map((word) => [word, { keyword, language: tag }] as const))),
  );
  return known;
}

/** What a message asks for, and in which language: it says one of the words, and nothing else but spaces and punctuation. null if it is about something else. */
export function readKeyword(body: string, { from }: { from: string }): { keyword: Keyword; language: Language } | null {
  if (body.length > longest) return null;
  const word = body
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, "");
  if (shortStops.words.has(word)) return from.startsWith(shortStops.callingCode) ? { keyword: "stop", language: shortStops.language } : null;
  return knownWords().get(word) ?? null;
}
