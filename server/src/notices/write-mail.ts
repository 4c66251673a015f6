import { moneyText, periodText, timeText, zoneOf } from "#checkout/index.ts";
import { type Ctx, type Language, languageInfo } from "#platform/index.ts";
import type { Facts, Kind, Say } from "./kinds/facts.ts";
import type { CompleteEmail } from "./mail/email-content.ts";
import { renderHtml } from "./mail/render-html.ts";
import { renderText } from "./mail/render-text.ts";
import { emails, testBand } from "./words/emails.ts";

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** The merchant in whose name the email is sent; null for Tillpost itself. */
  speaker: string | null;
}

/** What emails say of this installation. */
type Place = Pick<Ctx, "publicUrl" | "howToRun">;

/** Writes one complete email: the same facts as subject, HTML and plain text, in one language. */
export function writeMail<K extends Kind>(ctx: Place, given: { kind: K; facts: Facts[K]; lang: Language; test: boolean }): WrittenMail {
  const { kind, facts, lang, test } = given;
  const content = emails[lang][kind](facts, sayIn(ctx, lang));
  const set: CompleteEmail = {
    ...content,
    subject: test ? `[TEST] ${content.subject}` : content.subject,
    lang,
    test: test ? testBand[lang] : null,
  };
  return { subject: set.subject, html: renderHtml(set), text: renderText(set), speaker: content.speaker ?? null };
}

/** Readers' time zones aren't known: times use that of the payment's currency, or of the one that most readers of the language pay in. */
function sayIn(ctx: Place, lang: Language): Say {
  return {
    money: (amount) => moneyText(lang, amount),
    time: (at, currency) => timeText(lang, at, zoneOf(lang, currency ?? languageInfo(lang).currency ?? "USD")),
    period: (period) => periodText(lang, period),
    countryNames: (codes) => countryNames(lang, codes),
    command: (command) => ctx.howToRun(command),
    host: new URL(ctx.publicUrl).host,
  };
}

function countryNames(lang: Language, codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames(languageInfo(lang).locale, { type: "region" });
  return codes.map((code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code));
}
