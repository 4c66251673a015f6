import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { type Order, walWorld } from "#test/support/backups/wal-world.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { readManifest } from "../archive/manifest.ts";

const { at, dataDir, backups, backUp, open, pieces, restore, takeKeys } = await walWorld();
const contentOf = (paths: string[]) => Object.fromEntries(paths.map((path) => [path, readFileSync(path, "base64")]));
/** Taken of the original, of a copy restored from it, and of a second copy restored from it to a time. */
const taken = { original: "", copy: "", second: "" };
/** The orders of the second copy: its original's, and its own. */
const ofSecond: string[] = [];

/** Runs on a data folder while its write-ahead log is shipped, with an order before and after a backup. */
async function live(dataDir: string): Promise<{ backup: string; orders: [Order, Order] }> {
  const installation = await open(dataDir, { BACKUP_WAL: "on" });
  const before = await installation.order();
  const backup = await installation.backUp();
  const after = await installation.order();
  await installation.close();
  return { backup, orders: [before, after] };
}

async function ordersAtEnd(backup: string, into: string): Promise<string[]> {
  const restored = await restore(backup, into, "--at", "latest");
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("Restored into") });
  return await ordersIn(takeKeys(into));
}

it("each backup is followed by the write-ahead log of the database that it was taken from, never by that of a restored copy", async () => {
  const original = await live(dataDir);
  const shipped = contentOf(pieces());
  expect(await restore(original.backup, "copy")).toMatchObject({ code: 0, output: expect.stringContaining("when the backup ended") });
  const copy = await live(takeKeys("copy"));
  expect(await restore(original.backup, "second", "--at", "latest")).toMatchObject({ code: 0 });
  const second = await live(takeKeys("second"));

  const idsOf = (...lived: { orders: Order[] }[]) => lived.flatMap(({ orders }) => orders.map(({ id }) => id));
  expect(await ordersAtEnd(original.backup, "end-of-original")).toEqual(idsOf(original));
  expect(await ordersAtEnd(copy.backup, "end-of-copy")).toEqual([original.orders[0].id, ...idsOf(copy)]);
  expect(contentOf(pieces())).toMatchObject(shipped);
  Object.assign(taken, { original: original.backup, copy: copy.backup, second: second.backup });
  ofSecond.push(...idsOf(original, second));
});

/** The folder's name of the write-ahead log that follows a backup. */
async function folderOf(backup: string): Promise<string> {
  const { system_id, history } = (await readManifest(backup)).postgres;
  return history === undefined ? system_id : `${system_id}-${history}`;
}

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
