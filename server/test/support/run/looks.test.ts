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

/** The files of each long-form project that runs in another look. */
const walked = (config.test?.projects ?? []).flatMap((project) =>
  typeof project === "object" && "test" in project && String(project.test?.name).startsWith("look-") ? [project.test?.include ?? []] : [],
);

const takesLook = /= givenLook\(|^const \{.*\blook\b.*\} = await dashboardApp\(/m;

test("every test file that takes the requested look is run in all of them", () => {
  const reading = globSync(["server/**/*.test.ts", "web/e2e/**/*.test.ts"], { cwd: root }).filter((path) =>
    takesLook.test(readFileSync(`${root}${path}`, "utf8")),
  );
  expect(reading.length).toBeGreaterThan(15);
  expect(walked).toHaveLength(7);
  const inLooks = new Set(walked.flat());
  expect(reading.filter((path) => !inLooks.has(path) && elsewhere[path] === undefined)).toEqual([]);
  expect([...inLooks, ...Object.values(elsewhere)].filter((path) => !existsSync(`${root}${path}`))).toEqual([]);
});
