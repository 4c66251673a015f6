import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { openDataFolder } from "./data-folder.ts";
import { beginRestore } from "./restore-folder.ts";

/** All that a restore creates on the way. */
const left = [
  ...["files", "socket", "superuser.json", "audit-anchors.jsonl", "audit-anchors.until-2026-11-20T000000.000Z.jsonl"],
  ...["postgres", "postgres.json", "postgres.json.new", "postgres.log", "postgres.unfinished-x7"],
  ...["binaries-18.1.0", "binaries-unfinished"],
];

function folderWith(...names: string[]) {
  const folder = temporaryFolder();
  for (const name of names) {
    if (name.includes(".json")) writeFileSync(join(folder.path, name), JSON.stringify({ folder: null }));
    else mkdirSync(join(folder.path, name));
  }
  writeFileSync(join(folder.path, "restore.unfinished"), "a backup\n");
  const dataFolder = openDataFolder(folder.path);
  onTestFinished(async () => {
    await dataFolder.release();
    folder.remove();
  });
  return dataFolder;
}

it("a repeated restore removes what the interrupted one left, and nothing that belongs to a person", async () => {
  const dataFolder = folderWith(...left, "master-keys", "lost+found");
  await beginRestore(dataFolder, { from: "a backup", keep: [] });
  expect(readdirSync(dataFolder.path).filter((name) => !name.startsWith("lock"))).toEqual([
    "lost+found",
    "master-keys",
    "restore.unfinished",
  ]);
});

it.each(["notes.txt", "keys-of-last-year", "postgres-13.dump", "postgresql.conf"])(
  "it refuses a folder with %s that was put there since, and removes nothing",
  async (name) => {
    const dataFolder = folderWith(...left, name);
    await expect(beginRestore(dataFolder, { from: "a backup", keep: [] })).rejects.toThrow(`is not empty (${name})`);
    expect(readdirSync(dataFolder.path)).toEqual(expect.arrayContaining([...left, name]));
  },
);
