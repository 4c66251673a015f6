import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { openBackupFolder } from "../archive/backup-folder.ts";
import { walFolder } from "../wal/index.ts";
import { keepNewest, makeRoom } from "./make-room.ts";

const now = new Date("2026-11-20T08:00:00Z");
const dated = ["2026-11-18T03-00-00.000Z", "2026-11-19T03-00-00.000Z", "2026-11-20T03-00-00.000Z"];
/** Taken while the clock was ahead. */
const ahead = "2999-01-01T00-00-00.000Z";
/** The write-ahead log that is copied at the moment, and that of a database from before. */
const [current, other] = [{ system_id: "7000000000000000001" }, { system_id: "7000000000000000002" }];
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
  expect(await makeRoom({ path: folder, stuck: [] }, { bytes: 1.4 * huge, reserveBytes: 0, now, current })).toBe(false);
  expect(readdirSync(folder)).toHaveLength(4);
  expect(await makeRoom({ path: folder, stuck: [] }, { bytes: huge, reserveBytes: 0, now, current })).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([dated[2], ahead]);
});

/** Pieces of write-ahead log that say they are this large, without taking the space. */
function writePieces(folder: string, history: typeof current, { starts, bytes = 0 }: { starts: readonly number[]; bytes?: number }): void {
  const wal = walFolder(folder, history);
  mkdirSync(wal, { recursive: true });
  for (const from of starts) {
    const piece = join(wal, `00000001-000000000${from}000000-000000000${from + 1}000000.wal.zst`);
    writeFileSync(piece, "");
    truncateSync(piece, bytes);
  }
}

it("write-ahead log that only an old backup needs makes room with it, and what no backup needs any more goes first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second, third] = dated as [string, string, string];
  for (const [name, lsn] of [
    [first, "0/2000000"],
    [second, "0/4000000"],
    [third, "0/6000000"],
  ] as const)
    writeBackup(folder, name, { lsn });
  const large = 1e12;
  writePieces(folder, current, { starts: [1, 2, 3, 4, 5, 6], bytes: large });
  writePieces(folder, other, { starts: [1, 2] });
  const wal = () => readdirSync(walFolder(folder, current)).map((name) => Number(name.slice(18, 19)));
  const { bavail, bsize } = statfsSync(folder);
  const lacking = (bytes: number) => ({ bytes: 1, reserveBytes: bavail * bsize + bytes, now, current });

  expect(await makeRoom({ path: folder, stuck: [] }, lacking(4.5 * large))).toBe(false);
  expect([readdirSync(folder), readdirSync(join(folder, "wal")), wal().sort()]).toEqual([
    [...dated, "wal"],
    [current.system_id],
    [2, 3, 4, 5, 6],
  ]);
  expect(await makeRoom({ path: folder, stuck: [] }, lacking(1.5 * large))).toBe(true);
  expect([readdirSync(folder), wal().sort()]).toEqual([
    [second, third, "wal"],
    [4, 5, 6],
  ]);
  expect(await makeRoom({ path: folder, stuck: [] }, lacking(1.5 * large))).toBe(true);
  expect([readdirSync(folder), wal().sort()]).toEqual([[third, "wal"], [6]]);
});

it("write-ahead log stays if there is room, or if a backup that may need it can't be read at the moment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [index, name] of dated.entries()) writeBackup(folder, name, { lsn: `0/${2 * index + 2}000000` });
  writePieces(folder, current, { starts: [2, 3, 4, 5, 6] });
  const manifest = join(folder, dated[0] as string, "manifest.json");
  rmSync(manifest);
  // A folder instead of the file: it can't be read, by no user.
  mkdirSync(manifest);
  expect(await makeRoom({ path: folder, stuck: [] }, { bytes: 0, reserveBytes: 0, now, current })).toBe(true);
  const { message } = await makeRoom({ path: folder, stuck: [] }, { bytes: huge, reserveBytes: 0, now, current }).then(
    () => expect.fail("room was made"),
    (error: Error) => error,
  );
  expect(message).toMatch(/it isn't known which that is until this backup is readable or moved elsewhere: .*manifest.json can't be read/);
  // Some of it may be needed.
  expect(message).not.toContain("manually");
  expect([readdirSync(folder), readdirSync(walFolder(folder, current)).length]).toEqual([[...dated, "wal"], 5]);
});

it("no backup is given up to make room if write-ahead log that none needs can't be removed", async () => {
  const folder = backups();
  // By no user.
  writeFileSync(join(folder, "wal"), "");
  await expect(makeRoom({ path: folder, stuck: [] }, { bytes: huge, reserveBytes: 0, now, current })).rejects.toThrow(
    "Remove it manually: write-ahead log that no backup needs any more: ENOTDIR",
  );
  expect(readdirSync(folder).sort()).toEqual([...dated, ahead, "wal"]);
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
  await expect(makeRoom(opened, { bytes: huge, reserveBytes: 0, now, current })).rejects.toThrow(
    "Remove it manually: .unfinished-2026-11-17T03-00-00.000Z: Operation not permitted",
  );
  expect(readdirSync(folder)).toEqual(expect.arrayContaining([...dated, "2026-11-20T08-00-00.000Z"]));
  expect(await makeRoom(opened, { bytes: 0, reserveBytes: 0, now, current })).toBe(true);
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
