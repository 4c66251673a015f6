import { defineWords, type Language } from "#platform/index.ts";
import type { Letters } from "../kinds/facts.ts";
import { chineseLetters } from "./chinese.ts";
import { englishLetters } from "./english.ts";

/** All emails, by language. */
export const letters: Record<Language, Letters> = { en: englishLetters, zh: chineseLetters };

/** The banner of every email in TEST. */
export const testBand = defineWords({ en: "TEST · no real money", zh: "测试环境 · 不涉及真实资金" });
