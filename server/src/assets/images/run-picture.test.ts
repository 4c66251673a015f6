import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "#test/eventually.ts";
import { photo, readCodes } from "#test/pictures.ts";

test("pictures outlive the death of the process that reads them", async () => {
  const picture = await photo(1600, 1200);
  const reading = Promise.all(Array.from({ length: 4 }, () => readCodes(picture)));
  await eventually("a process that reads pictures", () => pictureProcesses().length === 1);
  execFileSync("kill", ["-9", ...pictureProcesses()]);
  expect(await reading).toEqual(Array.from({ length: 4 }, () => []));
});

function pictureProcesses(): string[] {
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && isOurs(entry));
}

function isOurs(pid: string): boolean {
  try {
    const parent = new RegExp(`^PPid:\\s${process.pid}$`, "m");
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("picture-process.ts") && parent.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
