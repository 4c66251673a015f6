import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { english } from "#checkout/page/words/english.ts";
import { emails } from "#notices/words/emails.ts";

const dashboard = new URL("../../../../web/dashboard/src/", import.meta.url);

/** Words that follow a number and end in s without being a plural. */
const singular =
  /^(as|checks|decides|distinguishes|goes|has|is|knows|less|looks|loses|needs|opens|requires|sees|stops|tells|uses|vs|waits|was)$/;

const pluralsOfOne = (text: string) =>
  [...text.matchAll(/(?<![\d.])1 ([a-z]+s)\b/g)].map(([, word = ""]) => word).filter((word) => !singular.test(word));

/** What the functions of a table of words say when all that they are given is 1. */
function* spoken(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === "function")
    yield { path, text: String((value as (...given: unknown[]) => unknown)(...Array.from({ length: value.length }, () => 1))) };
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) yield* spoken(part, `${path}.${key}`);
}

test("no count of one is followed by a plural", async () => {
  const texts: { path: string; text: string }[] = [...spoken(english, "server/src/checkout/page/words")];
  const files = readdirSync(dashboard, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".words.ts"));
  for (const file of files) {
    const tables = (await import(new URL(file, dashboard).href)) as Record<string, { en?: unknown }>;
    for (const table of Object.values(tables)) texts.push(...spoken(table.en, file));
  }
  expect(texts.length).toBeGreaterThan(120);
  expect(texts.filter((one) => pluralsOfOne(one.text).length > 0)).toEqual([]);
});

test("no email follows a count of one with a plural", () => {
  // Each count is 1, each list has one entry, and whatever else a mail names is a word.
  const special: Record<string, unknown> = {
    measure: "segments",
    proofs: [{ amount: {} }],
    keys: ["word"],
    jobs: ["word"],
    missing: ["word"],
    channels: ["sms"],
    countries: ["word"],
  };
  const facts = new Proxy(
    {},
    { get: (_facts, name) => special[String(name)] ?? (/^(count|minutes|hours|chains|rows)$/.test(String(name)) ? 1 : "word") },
  );
  const helpers = new Proxy({}, { get: () => Object.assign(() => Object.assign(["word"], { whole: "word" }), { toString: () => "word" }) });
  const written = Object.entries(emails.en).map(([kind, write]) => ({
    kind,
    text: JSON.stringify((write as (...given: unknown[]) => unknown)(facts, helpers)),
  }));
  expect(written.filter(({ text }) => /\b1 minute\b/.test(text)).length).toBeGreaterThan(1);
  expect(written.filter(({ text }) => pluralsOfOne(text).length > 0)).toEqual([]);
});
