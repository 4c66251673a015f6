import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Packages = Record<string, Record<string, unknown>>;
interface Script {
  completeLock(lock: { packages: Packages }): string[];
  missingFrom(packages: Packages): { name: string }[];
}

const { completeLock, missingFrom } = (await import(new URL("complete-lock.mjs", import.meta.url).href)) as Script;

it("the lock file has every platform's optional packages, so npm ci works on all of them", () => {
  const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as { packages: Packages };
  expect(missingFrom(lock.packages), "run: node scripts/complete-lock.mjs").toEqual([]);
});

it("restores what a registry didn't have, only for its platform", () => {
  const tool = {
    version: "1.2.3",
    dev: true,
    license: "MIT",
    optionalDependencies: { "tool-linux-x64-musl": "1.2.3", "tool-linux-x64-gnu": "1.2.3" },
  };
  const lock: { packages: Packages } = {
    packages: { "": {}, "node_modules/tool": tool, "node_modules/tool-linux-x64-gnu": { version: "1.2.3" } },
  };
  expect(completeLock(lock)).toEqual(["tool-linux-x64-musl"]);
  expect(lock.packages["node_modules/tool-linux-x64-musl"]).toEqual({
    ...{ version: "1.2.3", dev: true, license: "MIT", optional: true },
    ...{ cpu: ["x64"], os: ["linux"], libc: ["musl"] },
  });
  expect(completeLock(lock)).toEqual([]);
});
