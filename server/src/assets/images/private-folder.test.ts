import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "./private-folder.ts";
import { spoolPath, spoolUpload } from "./spool-upload.ts";

test("uploads continue after the system removed the unused temporary folder", async () => {
  const first = await spoolUpload(Buffer.from("a proof"));
  rmSync(dirname(first.path), { recursive: true });
  const next = await spoolUpload(Buffer.from("the next one"));
  expect(existsSync(next.path)).toBe(true);
  expect(statSync(dirname(next.path)).mode & 0o777).toBe(0o700);
  await next.remove();
  expect(dirname(spoolPath())).toBe(dirname(first.path));
});

test("a name that something else took is not used again", () => {
  const folder = privateFolder("tillpost-test-");
  const first = folder();
  expect(folder()).toBe(first);
  rmSync(first, { recursive: true });
  writeFileSync(first, "not a folder");
  expect(folder()).not.toBe(first);
  rmSync(first);
});
