import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { beforeAll, expect, it } from "vitest";
import { nightlyWorld } from "#test/support/backups/nightly-world.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { openShipping } from "../wal/index.ts";
import { measureBackups } from "./measure-backups.ts";

const { folder, dataDir, backups, env, lines, runtime, taken, backupNames, nightUntil } = await nightlyWorld();
const { ctx, settings } = runtime;
const registry = new Registry();
measureBackups(registry, runtime);
const longAgo = "2026-01-01T00:00:00.000Z";

beforeAll(async () => {
  expect(await runHere({ dataDir, command: ["backup"], env })).toMatchObject({ code: 0 });
});

it("a failed backup is tried again an hour later, and the oldest ones are removed once more exist than should be kept", async () => {
  const [name = ""] = backupNames();
  for (const older of ["2026-01-01T00-00-00.000Z", "2026-01-02T00-00-00.000Z"])
    cpSync(join(backups, name), join(backups, older), { recursive: true });
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  // A file instead of the folder: old write-ahead log can't be removed, by no user.
  writeFileSync(join(backups, "wal"), "");
  await nightUntil("old ones are removed", () => backupNames().length === 2 && !backupNames().includes("2026-01-02T00-00-00.000Z"));
  expect(backupNames()).toContain(name);
  expect(readBackupState(dataDir).failed).toBeUndefined();
  expect(lines.find((line) => line.includes("but reported a problem"))).toContain(
    "Couldn't be removed: write-ahead log that no backup needs any more: ENOTDIR",
  );
  rmSync(join(backups, "wal"));
});

it("doctor and metrics report the newest one, and the log that the master keys aren't part of it", async () => {
  expect(lines.at(-1)).toContain("the master keys are not part of it");
  expect(checkBackups(settings, ctx.now())).toMatchObject([
    { state: "fine" },
    { state: "note", message: "no backup has been verified yet" },
  ]);
  expect(await registry.metrics()).toMatch(/^tillpost_backup_age_seconds\{what="taken"\} \d/m);
});

it("a backup into another folder replaces none of these, and ends no failure", async () => {
  await writeBackupState(dataDir, { failed: { at: ctx.now().toISOString(), reason: "the disk was away" } });
  const before = readBackupState(dataDir);
  const command = ["backup", "--to", join(folder.path, "elsewhere")];
  expect(await runHere({ dataDir, command, env })).toMatchObject({ code: 0 });
  expect(readBackupState(dataDir)).toEqual(before);
  await writeBackupState(dataDir, { failed: undefined });
});

it("where it began in a database that was upgraded since, one is taken at once, and no second one", async () => {
  const before = taken()?.path;
  await writeBackupState(dataDir, { wal_began: { at: ctx.now().toISOString(), lsn: "FFFF/0" } });
  await nightUntil("one is taken", () => taken()?.path !== before && backupNames().length === 2);
  expect(readBackupState(dataDir).wal_began).toBeUndefined();
});

it("none is written to the empty mount point of a disk that is away, and that is reported, until it's back or a person starts over there", async () => {
  const disk = join(folder.path, "disk");
  renameSync(backups, disk);
  mkdirSync(backups);
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  await nightUntil("it is tried", () => readBackupState(dataDir).failed?.at !== longAgo);
  const shipping = await openShipping({ ...runtime, settings: { ...settings, BACKUP_WAL: true } });
  const unwritten = () => readBackupState(dataDir).wal_unwritten;
  await eventually("write-ahead log is, too", () => unwritten() !== undefined || readdirSync(backups).includes("wal"));
  await shipping?.stop();
  const away = expect.stringContaining("If its disk isn't mounted, mount it.");
  const reasons = [readBackupState(dataDir).failed?.reason, unwritten()?.reason];
  expect([readdirSync(backups), ...reasons]).toEqual([[], away, away]);
  const backUp = (...how: string[]) => runHere({ dataDir, command: ["backup", ...how], env });
  expect(await backUp()).toMatchObject({ code: 1, output: away });
  expect(readdirSync(backups)).toEqual([]);

  // Into a folder that is named, one is taken. Later ones follow it there.
  for (const how of [["--to", backups], []]) expect(await backUp(...how)).toMatchObject({ code: 0 });
  expect([backupNames().length, readBackupState(dataDir).failed]).toEqual([2, undefined]);
  // The disk is back, without the newest.
  rmSync(backups, { recursive: true });
  renameSync(disk, backups);
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  await nightUntil("one is taken", () => readBackupState(dataDir).failed === undefined && backupNames().length === 2);
});
