import { html } from "ghtml";
import { firstLanguage, languageInfo, languageOf } from "#platform/index.ts";
import type { VerificationRow } from "../shapes.ts";
import { type CodeFacts, codeWords } from "./templates.ts";

/** What a code's message is made of. */
export interface CodeContent extends CodeFacts {
  template: VerificationRow["template"];
  locale: string | null;
  origin: string | null;
}

const languageFor = ({ locale }: Pick<CodeContent, "locale">) => languageOf(locale) ?? firstLanguage;

/**
 * The text of an SMS. With an origin, its last line is `@host #code`, which browsers and phones read to offer the code on that site's pages
 * only.
 */
export function smsText(content: CodeContent): string {
  const text = codeWords[languageFor(content)][content.template].text(content);
  return content.origin === null ? text : `${text}\n\n@${content.origin} #${content.code}`;
}

/** The parts of an email. Its subject doesn't contain the code. */
export function mailTexts(content: CodeContent): { subject: string; html: string; text: string } {
  const language = languageFor(content);
  const words = codeWords[language];
  const { brand, code } = content;
  const { text } = words[content.template];
  const [expiry, subject] = [words.expiry(content), words[content.template].subject({ brand })];
  const { html: lang } = languageInfo(language);
  return {
    subject,
    text: [text(content), words.warning, words.ignored].join("\n\n"),
    html: html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="font-family:ui-sans-serif,sans-serif;line-height:1.5;padding:24px">
<p>${subject}</p>
<p style="font-size:32px;font-weight:600;letter-spacing:.2em;margin:16px 0">${code}</p>
<p>${expiry} ${words.warning}</p>
<p>${words.ignored}</p>
</body></html>`,
  };
}

/** What a call says, and in which language: the digits one by one, twice. */
export function spokenText(content: CodeContent): { text: string; language: string } {
  const language = languageFor(content);
  const { pause, again, ...words } = codeWords[language];
  const digits = [...content.code].join(pause);
  return { text: `${words[content.template].spoken(content)} ${digits}. ${again} ${digits}.`, language: languageInfo(language).locale };
}
