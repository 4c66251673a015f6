import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { openBackupFolder } from "../archive/backup-folder.ts";
import { keepNewest, makeRoom } from "./make-room.ts";

const now = new Date("2026-11-20T08:00:00Z");
const dated = ["2026-11-18T03-00-00.000Z", "2026-11-19T03-00-00.000Z", "2026-11-20T03-00-00.000Z"];
/** Taken while the clock was ahead. */
const ahead = "2999-01-01T00-00-00.000Z";
/** More than any disk has. */
const huge = 1e15;

function backups(): string {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of [...dated, ahead]) writeBackup(folder, name, { bytes: huge });
  return folder;
}

it("the newest backups are kept, also if the clock was ahead when another one was taken", async () => {
  const folder = backups();
  await keepNewest(folder, { keep: 1, now });
  expect(readdirSync(folder).sort()).toEqual([dated[2], ahead]);
});

it("the oldest ones make room for two more, but never the newest, also if the clock was ahead when another one was taken", async () => {
  const folder = backups();
  expect(await makeRoom({ path: folder, stuck: [] }, { bytes: 1.4 * huge, reserveBytes: 0, now })).toBe(false);
  expect(readdirSync(folder)).toHaveLength(4);
  expect(await makeRoom({ path: folder, stuck: [] }, { bytes: huge, reserveBytes: 0, now })).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([dated[2], ahead]);
});

it("what an interrupted removal of a backup left is removed as well", async () => {
  const folder = backups();
  for (const name of [`.unfinished-${dated[0]}`, ".unfinished-2026-11-17T03-00-00.000Z"])
    mkdirSync(join(folder, name, "rest"), { recursive: true });
  await keepNewest(folder, { keep: 2, now });
  expect(readdirSync(folder).sort()).toEqual([".unfinished-2026-11-17T03-00-00.000Z", ...dated.slice(1), ahead]);
  const opened = await openBackupFolder(folder);
  opened.release();
  expect(readdirSync(folder).filter((name) => name.startsWith(".unfinished-"))).toEqual([]);
});

it("what can't be removed keeps no backup from being written, and no further one is given up to make room for it", async () => {
  const folder = backups();
  mkdirSync(join(folder, ".unfinished-2026-11-17T03-00-00.000Z"));
  const opened = await openBackupFolder(folder, async () => {
    throw new Error("Operation not permitted");
  });
  await opened.begin("2026-11-20T08-00-00.000Z");
  await opened.finish("2026-11-20T08-00-00.000Z");
  await expect(makeRoom(opened, { bytes: huge, reserveBytes: 0, now })).rejects.toThrow(
    "Remove it manually: .unfinished-2026-11-17T03-00-00.000Z: Operation not permitted",
  );
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...dated, "2026-11-20T08-00-00.000Z"]));
  expect(await makeRoom(opened, { bytes: 0, reserveBytes: 0, now })).toBe(true);
  opened.release();
});

it("a folder that can't be read when it's opened isn't locked afterwards", async () => {
  const folder = backups();
  mkdirSync(join(folder, ".unfinished-rest"));
  const remove = () => {
    throw new Error("the disk is gone");
  };
  await expect(openBackupFolder(folder, remove)).rejects.toThrow("the disk is gone");
  (await openBackupFolder(folder)).release();
});
