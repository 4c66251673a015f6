import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { contentOf, folderOf, historiesOf, idsOf, type Lived } from "#test/support/backups/histories.ts";
import { walWorld } from "#test/support/backups/wal-world.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readManifest } from "../archive/manifest.ts";
import { readBackupState } from "../state/backup-state.ts";

const world = await walWorld();
const { at, backUp, dataDir, backups, open, pieces, restore, takeKeys } = world;
const { live } = historiesOf(world);
const wal = join(backups, "wal");
/** An installation, and a copy that was restored from its backup. */
let original: Lived;
let copy: Lived;
/** The original's backup after the gap. */
let later: string;

it("a restored copy ships its write-ahead log without touching that of its original", async () => {
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
  expect(contentOf(pieces())).toMatchObject(shipped);
});

it("a restored database has its own timeline and folder; with a backup, only log that no kept backup needs is removed", async () => {
  const [first, second] = [await readManifest(original.backup), await readManifest(copy.backup)];
  expect([first, second].map(({ postgres }) => postgres.end.timeline)).toEqual([1, 2]);
  expect(first.postgres).not.toHaveProperty("history");
  expect(readdirSync(wal).sort()).toEqual([await folderOf(original.backup), await folderOf(copy.backup), "notes"].sort());
});

it("a gap counts as a failed backup, and is reported, until the next one is taken", async () => {
  const before = readBackupState(dataDir);
  expect(before.failed).toBeUndefined();
  const without = await open(dataDir, { BACKUP_WAL: "off" });
  await without.order();
  await without.close();
  const after = await open(dataDir, { BACKUP_WAL: "on" });
  await eventually("the gap is reported", () => readBackupState(dataDir).told !== undefined);
  const { failed, wal_began } = readBackupState(dataDir);
  expect(failed?.reason).toContain("Part of the write-ahead log wasn't copied");
  expect(wal_began?.lsn).not.toBe(before.wal_began?.lsn);
  expect(wal_began?.system_id).toBe((await readManifest(original.backup)).postgres.system_id);
  const notices = await listNotices(after.runtime.ctx.db, "backup_missing");
  expect(notices).toMatchObject([{ recipient: ownMerchantId }]);
  later = await backUp();
  expect([readBackupState(dataDir).failed, readBackupState(dataDir).wal_began]).toEqual([undefined, undefined]);
  await after.order();
  await after.close();
});

it("to the end of a write-ahead log with a gap an earlier backup isn't restored, but up to the gap on request, without what the copy did", async () => {
  const refused = await restore(original.backup, "never", "--at", "latest");
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("Part of the write-ahead log is missing") });
  expect([refused.output.includes("--at gap"), existsSync(at("never"))]).toEqual([true, false]);
  expect(await restore(original.backup, "up-to-the-gap", "--at", "gap")).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys("up-to-the-gap"))).toEqual(idsOf(original));
  expect(await restore(later, "never", "--at", "gap")).toMatchObject({ code: 1, output: expect.stringContaining("has no gap") });
});
