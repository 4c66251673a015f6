import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { stripTypes } from "./strip-types.ts";

const blank = " ".repeat(": number".length);

test("strips the types of scripts once, and again after one changed or what was kept is damaged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-stripped-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [script, kept] = [join(folder, "one.ts"), join(folder, "kept")];
  const stripped = () => stripTypes([pathToFileURL(script)], folder);
  const keptFile = async () => join(folder, (await readdir(folder)).find((name) => name.startsWith("stripped-")) ?? kept);
  await writeFile(script, "const one: number = 1;\n");
  expect(await stripped()).toEqual([`const one${blank} = 1;\n`]);
  const whole = await readFile(await keptFile(), "utf8");
  const marked = JSON.stringify(["kept"]);
  await writeFile(await keptFile(), createHash("sha256").update(marked).digest("hex") + marked);
  expect(await stripped()).toEqual(["kept"]);
  await writeFile(await keptFile(), whole.slice(0, -1));
  expect(await stripped()).toEqual([`const one${blank} = 1;\n`]);
  expect(await readFile(await keptFile(), "utf8")).toBe(whole);
  await writeFile(script, "const two: number = 2;\n");
  expect(await stripped()).toEqual([`const two${blank} = 2;\n`]);
});
