import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startPacking } from "./pack-folder.ts";

const descriptors = "/proc/self/fd";

/** Files that this process has open, where the system tells. */
function openFiles(): string[] {
  if (!existsSync(descriptors)) return [];
  return readdirSync(descriptors).flatMap((name) => {
    try {
      return [readlinkSync(join(descriptors, name))];
    } catch {
      // It has been closed since.
      return [];
    }
  });
}

test("a file that can't be added, because the archive has ended, is closed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-packing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "one");
  writeFileSync(path, "1");
  const packing = startPacking();
  packing.archive.on("error", () => {});
  packing.archive.destroy();
  await expect(packing.addFile("one", path)).rejects.toThrow("destroyed");
  expect(openFiles()).not.toContain(path);
});

test("a file that grows while it is added has the size that it had", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-packing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "anchors.jsonl");
  const bytes = 8 * 1024 * 1024;
  writeFileSync(path, Buffer.alloc(bytes, "a"));
  const packing = startPacking();
  const added = packing.addFile("anchors.jsonl", path);
  // Its size was read; nothing reads the archive yet, so most of it is still to come.
  await once(packing.archive, "readable");
  appendFileSync(path, "b");
  const archive = buffer(packing.archive);
  expect(await added).toBe(true);
  packing.finish();
  // A header, the file and two empty blocks.
  expect((await archive).length).toBe(512 + bytes + 1024);
});
