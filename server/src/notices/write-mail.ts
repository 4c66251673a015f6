import { type Lang, moneyText, timeText, zoneOf } from "#checkout/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { Facts, Kind, Letters, Say } from "./kinds/facts.ts";
import type { SetLetter } from "./mail/letter.ts";
import { renderHtml } from "./mail/render-html.ts";
import { renderText } from "./mail/render-text.ts";
import { chineseLetters } from "./words/chinese.ts";
import { englishLetters } from "./words/english.ts";

const letters: Record<Lang, Letters> = { en: englishLetters, zh: chineseLetters };
const testWords: Record<Lang, string> = { en: "TEST · no real money moves", zh: "TEST · 测试环境，不涉及真实资金" };

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** The merchant that the mail speaks for, if it is not the house itself. */
  speaker: string | null;
}

/** Writes one mail whole: the same facts as subject, HTML and plain text, in one language. */
export function writeMail<K extends Kind>(ctx: Pick<Ctx, "publicUrl">, given: { kind: K; facts: Facts[K]; lang: Lang; test: boolean }): WrittenMail {
  const { kind, facts, lang, test } = given;
  const letter = letters[lang][kind](facts, sayIn(ctx, lang));
  const set: SetLetter = { ...letter, subject: test ? `[TEST] ${letter.subject}` : letter.subject, lang, test: test ? testWords[lang] : null };
  return { subject: set.subject, html: renderHtml(set), text: renderText(set), speaker: letter.speaker ?? null };
}

/** Zones of readers are not known: what is paid in yuan, and what is read in Chinese, goes by Beijing's clock. */
function sayIn(ctx: Pick<Ctx, "publicUrl">, lang: Lang): Say {
  return {
    money: (amount) => moneyText(lang, amount),
    time: (at, currency) => timeText(lang, at, zoneOf(lang, currency ?? (lang === "zh" ? "CNY" : "USD"))),
    host: new URL(ctx.publicUrl).host,
  };
}
