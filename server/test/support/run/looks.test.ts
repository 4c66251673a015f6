import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import config from "../../../../vitest.config.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** Test files that run in only one look, and the ones that run in the others. */
const elsewhere: Readonly<Record<string, string>> = {
  "server/src/checkout/pay-page.test.ts": "server/src/checkout/pay-page.long.test.ts",
  "web/e2e/screens/screens.test.ts": "web/e2e/screens/screens.long.test.ts",
};

const projects = (config.test?.projects ?? []).flatMap((project) =>
  typeof project === "object" && "test" in project && project.test !== undefined ? [project.test] : [],
);

/** The long form's looks, with the files that each runs. */
const looks = projects
  .filter(({ name }) => String(name).startsWith("look-"))
  .map(({ env, include }) => ({ look: String(env?.["LOOK"]), files: new Set(include) }));
const walked = [...new Set(looks.flatMap(({ files }) => [...files]))];

const takesLook = /= givenLook\(|^const (dashboard|\{.*\blook\b.*\}) = await dashboardApp\(/m;

test("the long form has a project for each of the eight looks", () => {
  const all = ["en", "zh"].flatMap((language) =>
    ["light", "dark"].flatMap((theme) => ["wide", "phone"].map((device) => `${language}-${theme}-${device}`)),
  );
  expect(looks.map(({ look }) => look).toSorted()).toEqual(all.toSorted());
});

test("every test file that takes the requested look is run in all of them, or in all those of one device; details in half of these", () => {
  const reading = globSync(["server/**/*.test.ts", "web/e2e/**/*.test.ts"], { cwd: root }).filter((path) =>
    takesLook.test(readFileSync(`${root}${path}`, "utf8")),
  );
  expect(reading.length).toBeGreaterThan(30);
  const looksOf = (path: string) => looks.filter(({ files }) => files.has(path)).map(({ look }) => look.split("-"));
  const isInEnough = (path: string) => {
    const found = looksOf(path);
    const [languages, themes, devices] = [0, 1, 2].map((at) => new Set(found.map((look) => look[at])).size);
    return languages === 2 && themes === 2 && found.length === (devices === 2 ? 8 : 4) / (path.endsWith(".long.test.ts") ? 2 : 1);
  };
  expect(reading.filter((path) => elsewhere[path] === undefined && !isInEnough(path))).toEqual([]);
  expect([...walked, ...Object.values(elsewhere)].filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});

test("what only the long form walks isn't run once more by its project of all other long files", () => {
  const exclude = projects.find(({ name }) => name === "long")?.exclude ?? [];
  const onlyLong = walked.filter((path) => path.endsWith(".long.test.ts"));
  expect(onlyLong.length).toBeGreaterThan(20);
  expect(onlyLong.filter((path) => !exclude.includes(path))).toEqual([]);
});
