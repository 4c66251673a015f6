import { firstLanguage, type Language, languageOf } from "./languages.ts";

const entriesMax = 20;

interface Wishes {
  /** The reader's own choice. */
  requested?: string | null | undefined;
  /** Set for them by someone else; `auto` leaves it to the browser. */
  set?: string | undefined;
  /** The browser's `Accept-Language`. */
  accepted?: string | undefined;
}

/** The reader's own choice wins, then what was set for them, then the browser's preference by its q-values. */
export function chooseLanguage({ requested, set = "auto", accepted = "" }: Wishes): Language {
  const chosen = languageOf(requested);
  if (chosen !== null) return chosen;
  if (set !== "auto") return languageOf(set) ?? firstLanguage;
  const ranked = accepted
    .split(",")
    .slice(0, entriesMax)
    .map((entry) => {
      const [tag = "", ...params] = entry.trim().toLowerCase().split(";");
      const quality = Number(params.map((param) => /^\s*q=([\d.]+)$/.exec(param)?.[1]).find((value) => value !== undefined) ?? 1);
      return { language: languageOf(tag), quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ language, quality }) => quality > 0 && language !== null)
    .sort((one, other) => other.quality - one.quality);
  return ranked[0]?.language ?? firstLanguage;
}
