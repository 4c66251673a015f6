import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Packages = Record<string, Record<string, unknown>>;
interface Script {
  outdatedOf(want: Packages, have: Packages, development: boolean): string[];
}

const { outdatedOf } = (await import(new URL("install.mjs", import.meta.url).href)) as Script;
const want = {
  "": {},
  "node_modules/a": { version: "2.0.0" },
  "node_modules/tool": { version: "1.0.0", dev: true },
  "node_modules/native-elsewhere": { version: "1.0.0", optional: true },
};
const a = { "node_modules/a": { version: "2.0.0" } };
const tool = { "node_modules/tool": { version: "1.0.0", dev: true } };

it.each([
  ["an installation without development packages is whole for the server", a, false, []],
  ["and not for the tests", a, true, ["node_modules/tool"]],
  ["one with them is whole", { ...a, ...tool }, true, []],
  ["a package of another version counts", { "node_modules/a": { version: "1.0.0" } }, false, ["node_modules/a"]],
  [
    "so does an outdated development package where they are installed",
    { ...a, "node_modules/tool": { version: "0.9.0", dev: true } },
    false,
    ["node_modules/tool"],
  ],
])("%s", (_what, have, development, missing) => {
  expect(outdatedOf(want, have as Packages, development)).toEqual(missing);
});

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

it.each(["web/vite.config.ts", "scripts/dashboard.mjs"])(
  "the packages that %s builds the dashboard with are installed by `npm start`, which omits development packages",
  (file) => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Packages };
    const tools = [...read(file).matchAll(/(?:from |import\()"((?:@[^/"]+\/)?[^/"]+)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !/^(node:|\.)/.test(name));
    expect(tools.length).toBeGreaterThan(0);
    const left = tools.filter(
      (name) => packages[`node_modules/${name}`]?.["dev"] === true || packages[`node_modules/${name}`]?.["devOptional"] === true,
    );
    expect(left).toEqual([]);
  },
);
