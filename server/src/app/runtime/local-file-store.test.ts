import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { localFileStore } from "./local-file-store.ts";

const folder = mkdtempSync(join(tmpdir(), "tillpost-files-"));
const files = localFileStore(folder);
afterAll(() => rmSync(folder, { recursive: true }));

it("stores bytes under a key, only for the owner, and deletes them", async () => {
  await files.put("ab/cd-ef_1", Buffer.from("first"));
  await files.put("ab/cd-ef_1", Buffer.from("second"));
  expect(String(await files.get("ab/cd-ef_1"))).toBe("second");
  expect(statSync(join(folder, "ab/cd-ef_1")).mode & 0o777).toBe(0o600);
  await files.remove("ab/cd-ef_1");
  await files.remove("ab/cd-ef_1");
  expect(await files.get("ab/cd-ef_1")).toBeNull();
});

it("never shows half of a file while many write the same one", async () => {
  const bytes = (letter: string) => Buffer.alloc(200_000, letter);
  await files.put("same", bytes("a"));
  const reads: (Buffer | null)[] = [];
  await Promise.all(
    [..."bcdef"].map(async (letter) => {
      await files.put("same", bytes(letter));
      reads.push(await files.get("same"));
    }),
  );
  for (const read of reads) expect(new Set(read)).toHaveProperty("size", 1);
  expect(readdirSync(folder)).toEqual(["ab", "same"]);
});

it.each(["../escape", "/etc/passwd", "a/../../b", "a//b", "", "a/", "A", "a\u0000b", "a\\b", ".hidden", "a/.."])(
  "refuses the key %j",
  async (key) => {
    await expect(files.put(key, Buffer.from("x"))).rejects.toThrow("not a file key");
    await expect(files.get(key)).rejects.toThrow("not a file key");
  },
);
