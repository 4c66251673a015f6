import type { Lang } from "../../format.ts";
import { chinese } from "./chinese.ts";
import { english, type Words } from "./english.ts";

const tables: Record<Lang, Words> = { en: english, zh: chinese };

export type { Words };

export function wordsOf(lang: Lang): Words {
  return tables[lang];
}
