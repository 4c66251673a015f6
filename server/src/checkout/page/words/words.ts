import type { Language } from "#platform/index.ts";
import { chinese } from "./chinese.ts";
import { english, type Words } from "./english.ts";

export type { Words };

/** Every sentence of the buyer's pages, by language. */
export const payWords: Record<Language, Words> = { en: english, zh: chinese };
