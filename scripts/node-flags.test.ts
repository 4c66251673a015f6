import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const { serverFlags } = (await import(new URL("node-flags.mjs", import.meta.url).href)) as { serverFlags(processors?: number): string[] };

it.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [64, 4],
])("on %i processors, V8 has %i threads in addition to the one that serves", (processors, threads) => {
  expect(serverFlags(processors)).toContain(`--v8-pool-size=${threads}`);
});

it("Node accepts every flag", () => {
  expect(execFileSync(process.execPath, [...serverFlags(), "--print", "1 + 1"], { encoding: "utf8" }).trim()).toBe("2");
});
