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
