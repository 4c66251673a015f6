import { defineWords, type Language } from "#platform/index.ts";
import type { Emails } from "../kinds/facts.ts";
import { chineseEmails } from "./chinese.ts";
import { englishEmails } from "./english.ts";

/** All emails, by language. */
export const emails: Record<Language, Emails> = { en: englishEmails, zh: chineseEmails };

/** The banner of every email in TEST. */
export const testBand = defineWords({ en: "TEST · no real money", zh: "测试环境 · 不涉及真实资金" });
