import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { languages } from "#platform/index.ts";

const folder = new URL("../../", import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(new URL(name.replaceAll("\\", "/"), folder), "utf8"))
  .filter((text) => /audit|recordPersonAct|person\./i.test(text))
  .join("\n");
const words = ["actions.ts", "actions/message-actions.ts"]
  .map((name) => readFileSync(new URL(`../../../../web/dashboard/src/words/${name}`, import.meta.url), "utf8"))
  .join("\n");

/** In the table of every language. */
const hasWords = (name: string) =>
  words.split("\n").filter((line) => new RegExp(`^ +"?${name.replace(".", "\\.")}"?: "`).test(line)).length >= languages.length;

test("every action in the audit log has words in both languages on its page", () => {
  const actions = [...sources.matchAll(/\baction: [^\n]*/g)].flatMap(([line]) =>
    [...line.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, name = ""]) => name),
  );
  const ofPeople = [...sources.matchAll(/"(person\.[a-z_]+)"/g)].map(([, name = ""]) => name);
  const objects = [...sources.matchAll(/\bobject_type: "([a-z_]+)"/g)].map(([, name = ""]) => name);
  expect(new Set(actions).size).toBeGreaterThan(40);
  expect(new Set(ofPeople).size).toBeGreaterThan(10);
  expect([...new Set([...actions, ...ofPeople, ...objects])].filter((name) => !hasWords(name))).toEqual([]);
});
