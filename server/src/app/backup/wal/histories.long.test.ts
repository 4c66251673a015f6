import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { contentOf, folderOf, historiesOf, idsOf } from "#test/support/backups/histories.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { readManifest } from "../archive/manifest.ts";

const world = await walWorld();
const { at, dataDir, backups, backUp, pieces, restore, takeKeys } = world;
const { live, ordersAtEnd } = historiesOf(world);
/** Taken of the original, of a copy restored from it, and of a second copy restored from it to a time. */
const taken = { original: "", copy: "", second: "" };
/** The orders of the second copy: its original's, and its own. */
const ofSecond: string[] = [];

it("each backup is followed by the write-ahead log of the database that it was taken from, never by that of a restored copy", async () => {
  const original = await live(dataDir);
  const shipped = contentOf(pieces());
  expect(await restore(original.backup, "copy")).toMatchObject({ code: 0, output: expect.stringContaining("when the backup ended") });
  const copy = await live(takeKeys("copy"));
  expect(await restore(original.backup, "second", "--at", "latest")).toMatchObject({ code: 0 });
  const second = await live(takeKeys("second"));

  expect(await ordersAtEnd(original.backup, "end-of-original")).toEqual(idsOf(original));
  expect(await ordersAtEnd(copy.backup, "end-of-copy")).toEqual([original.orders[0].id, ...idsOf(copy)]);
  expect(contentOf(pieces())).toMatchObject(shipped);
  Object.assign(taken, { original: original.backup, copy: copy.backup, second: second.backup });
  ofSecond.push(...idsOf(original, second));
});

it("a restored database has its own timeline and folder, and one that never was restored is written as by earlier versions", async () => {
  const [original, copy, second] = await Promise.all([taken.original, taken.copy, taken.second].map((path) => readManifest(path)));
  expect([original, copy, second].map((manifest) => manifest?.postgres.end.timeline)).toEqual([1, 2, 2]);
  expect(original?.postgres).not.toHaveProperty("history");
  const folders = await Promise.all(Object.values(taken).map(folderOf));
  expect(new Set(folders).size).toBe(3);
  expect(readdirSync(join(backups, "wal")).sort()).toEqual(folders.sort());
});

it("with a backup, write-ahead log that no kept backup needs is removed, and nothing else", async () => {
  const wal = join(backups, "wal");
  const [piece = ""] = pieces();
  // Of a database that was there before, and something of the operator's.
  for (const name of ["7000000000000000001", "notes"]) {
    mkdirSync(join(wal, name));
    cpSync(piece, join(wal, name, basename(piece)));
  }
  rmSync(taken.original, { recursive: true });
  await backUp(at("copy"));
  expect(readdirSync(wal).sort()).toEqual([await folderOf(taken.copy), await folderOf(taken.second), "notes"].sort());
  expect(await ordersAtEnd(taken.second, "end-of-second")).toEqual(ofSecond);
});
