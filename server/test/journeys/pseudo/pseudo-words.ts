import "./pseudo-language.ts";
import { gateways } from "#app/gateways.ts";
import { paymentMethods } from "#app/payment-methods.ts";
import { beijing } from "#checkout/format.ts";
import { payWords } from "#checkout/page/words/words.ts";
import { simulatorWords } from "#gateways/simulator/words.ts";
import { mailPageWords } from "#http/messaging/pages/words.ts";
import type { Emails, Kind } from "#notices/kinds/facts.ts";
import { emails, testBand } from "#notices/words/emails.ts";
import { firstLanguage } from "#platform/index.ts";
import type { Words } from "#platform/languages/languages.ts";
import { words as smsWords } from "#sms/inbound/words.ts";
import { codeWords } from "#verifications/words/templates.ts";
import { lengthen, lengthened } from "./lengthen.ts";
import { pseudo } from "./pseudo-language.ts";

/** Its words: one table per table of the server. The dashboard's are in its separate build. */
for (const table of [beijing, payWords, simulatorWords, mailPageWords, testBand, smsWords, codeWords] as Words<unknown>[])
  table[pseudo] = lengthened(table[firstLanguage]);
emails[pseudo] = Object.fromEntries(
  Object.entries(emails[firstLanguage]).map(([kind, write]) => [kind, lengthenedEmail(write as Emails[Kind])]),
) as unknown as Emails;

for (const { names, app } of paymentMethods.all) {
  for (const table of [names, app?.names ?? names]) Object.assign(table, { [pseudo]: lengthen(table[firstLanguage]) });
}

for (const { manifest } of gateways) {
  const { method, provider, fields, callbackEntry } = manifest;
  const names = [provider ?? method.names, callbackEntry?.hints ?? method.names, ...fields.flatMap((field) => [field.names, field.hints])];
  for (const table of new Set(names)) if (!(pseudo in table)) Object.assign(table, { [pseudo]: lengthen(table[firstLanguage]) });
}

/** An email's text, except for its state and its amount, which aren't words. */
function lengthenedEmail(write: Emails[Kind]): Emails[Kind] {
  return ((facts: never, say: never) => {
    const email = (write as (facts: never, say: never) => ReturnType<Emails[Kind]>)(facts, say);
    const { status, figure } = email;
    return {
      ...lengthened(email),
      ...(status === undefined ? {} : { status: { ...status, word: lengthen(status.word) } }),
      ...(figure === undefined ? {} : { figure }),
    };
  }) as Emails[Kind];
}
