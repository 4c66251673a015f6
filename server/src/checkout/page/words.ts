import type { Lang } from "./format.ts";
import { english, type Words } from "./words-en.ts";
import { chinese } from "./words-zh.ts";

const tables: Record<Lang, Words> = { en: english, zh: chinese };

export type { Words };

export function wordsOf(lang: Lang): Words {
  return tables[lang];
}
