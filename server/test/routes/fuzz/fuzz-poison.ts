import { type Poison, poisonHtml, poisonTexts } from "#test/support/poison/html.ts";
import type { Dice } from "./fuzz-values.ts";

/** Up to 16 384 characters HTML is read on the serving thread, longer HTML in another one. */
const lengths = [2_000, 9_000, 16_000, 20_000];
/** Several messages in one batch: what costs one of them little adds up. */
const batchSize = 6;

const html = Object.values(poisonHtml);
const texts = Object.values(poisonTexts);
/** Fields whose text is parsed, by name. */
const poisons: Readonly<Record<string, readonly Poison[]>> = { html, text: [...html, ...texts], subject: texts, body: texts };
/** Those of an email, which its valid body doesn't all have. */
const emailFields = new Set(["html", "text", "subject", "headers"]);

/** JSON text that costs parsers most, for a field of this name; null if nothing parses such fields. */
export function poisonText(throwing: Dice, name: string): string | null {
  const value = poisonValue(throwing, name);
  return value === null ? null : JSON.stringify(value);
}

/** What costs the readers of an HTTP header most, short enough for several of them in one request. */
export function poisonHeader(throwing: Dice): string {
  return throwing.pick(texts)(throwing.pick([2_000, 5_000]));
}

/** Picks the field of messages that gets poison; only one, because a schema that refuses the subject would hide what the HTML costs. */
export function poisonField(throwing: Dice): string {
  return throwing.pick(["html", "html", "text", "headers", "subject", "body"]);
}

/** True if a valid body is a message with this field, or a batch of them. */
export function takesField(body: unknown, name: string): boolean {
  return messagesOf(body).some((message) => name in message || ("subject" in message && emailFields.has(name)));
}

/** A valid message, or a batch of them, with poison in one field. */
export function poisonMessage(throwing: Dice, body: unknown, name: string): unknown {
  const one = () => ({ ...messagesOf(body)[0], [name]: poisonValue(throwing, name) });
  const [list] = Object.entries(body as object).find(([, value]) => Array.isArray(value)) ?? [];
  return list === undefined ? one() : { [list]: Array.from({ length: batchSize }, one) };
}

function poisonValue(throwing: Dice, name: string): unknown {
  if (name === "headers") return { "X-Order": throwing.pick(texts)(throwing.pick(lengths)) };
  const kinds = poisons[name];
  return kinds === undefined ? null : throwing.pick(kinds)(throwing.pick(lengths));
}

function messagesOf(body: unknown): Record<string, unknown>[] {
  if (typeof body !== "object" || body === null) return [];
  if (Object.keys(body).some((name) => name in poisons)) return [body as Record<string, unknown>];
  return Object.values(body).flatMap((value) => (Array.isArray(value) ? value.flatMap(messagesOf) : []));
}
