import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { contentOf, folderOf, historiesOf, idsOf, type Lived } from "#test/support/backups/histories.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { readManifest } from "../archive/manifest.ts";

const world = await walWorld();
const { dataDir, backups, pieces, restore, takeKeys } = world;
const { live, ordersAtEnd } = historiesOf(world);
const wal = join(backups, "wal");
let original: Lived;
let copy: Lived;

it("a backup is followed by the write-ahead log of the database that it was taken from, not by that of a restored copy", async () => {
  original = await live(dataDir);
  const shipped = contentOf(pieces());
  expect(await restore(original.backup, "copy")).toMatchObject({ code: 0, output: expect.stringContaining("when the backup ended") });
  const [piece = ""] = pieces();
  // Of a database that was there before, and something of the operator's.
  for (const name of ["7000000000000000001", "notes"]) {
    mkdirSync(join(wal, name));
    cpSync(piece, join(wal, name, basename(piece)));
  }
  copy = await live(takeKeys("copy"));
  expect(await ordersAtEnd(original.backup, "end-of-original")).toEqual(idsOf(original));
  expect(contentOf(pieces())).toMatchObject(shipped);
});

it("a restored database has its own timeline and folder; with a backup, only log that no kept backup needs is removed", async () => {
  const [first, second] = [await readManifest(original.backup), await readManifest(copy.backup)];
  expect([first, second].map(({ postgres }) => postgres.end.timeline)).toEqual([1, 2]);
  expect(first.postgres).not.toHaveProperty("history");
  expect(readdirSync(wal).sort()).toEqual([await folderOf(original.backup), await folderOf(copy.backup), "notes"].sort());
});
