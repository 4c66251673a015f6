import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { nightlyWorld } from "#test/support/backups/nightly-world.ts";
import { writeBackup, writeNewest } from "#test/support/backups/written-backup.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { programEnvironment } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { estimateBytes } from "./estimate-bytes.ts";
import { measureBackups } from "./measure-backups.ts";
import { startNightly } from "./run-nightly.ts";

const { folder, dataDir, backups, env, lines, log, runtime, backupNames, nightUntil } = await nightlyWorld();
const { ctx, settings } = runtime;
const registry = new Registry();
measureBackups(registry, runtime);

const longAgo = "2026-01-01T00:00:00.000Z";
/** More than there is: with it a backup fails before it begins. */
const noRoom = { DISK_RESERVE_MB: 1_000_000_000 };
const nightUntilFailed = () => nightUntil("it is said", () => readBackupState(dataDir).failed !== undefined, noRoom);

it("without any earlier backup one is due immediately", async () => {
  expect(await registry.metrics()).not.toMatch(/^tillpost_backup_age_seconds\{/m);
  utimesSync(join(dataDir, "postgres.json"), new Date(longAgo), new Date(longAgo));
  expect(checkBackups(settings, ctx.now())).toMatchObject([{ state: "fault", message: "there is no backup" }]);
  await nightUntilFailed();
  expect(backupNames()).toEqual([]);
});

it("uploaded files count towards the size of the first one, unless they are in another store", async () => {
  const file = join(dataDir, "files", "aa", "large.png");
  const { bavail, bsize } = statfsSync(dataDir);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  // Takes no space itself, but one that isn't sparse would.
  truncateSync(file, bavail * bsize);
  const before = await estimateBytes({ ctx, settings: { ...settings, S3_ENDPOINT: "https://s3.example" } });
  expect(before).toBeLessThan(1_000_000_000);
  expect(await estimateBytes(runtime)).toBe(before + bavail * bsize);
  await writeBackupState(dataDir, { failed: undefined });
  await nightUntil("it is said", () => readBackupState(dataDir).failed !== undefined);
  expect(readBackupState(dataDir).failed?.reason).toContain("two backups must fit");
  expect(backupNames()).toEqual([]);
  rmSync(file);
});

it("one stops while there is still more space than the limit at which the shop's writes are refused", async () => {
  const { bavail, bsize } = statfsSync(dataDir);
  const command = ["backup", "--to", join(folder.path, "elsewhere")];
  const within = String(Math.floor((bavail * bsize) / 1_000_000 / 1.12));
  const stopped = await runHere({ dataDir, command, env: { ...env, DISK_RESERVE_MB: within } });
  expect(stopped).toMatchObject({ code: 1, output: expect.stringContaining("must stay free, more than DISK_RESERVE_MB") });
  expect(readdirSync(join(folder.path, "elsewhere")).filter((name) => name !== "lock")).toEqual([]);
});

it("where copying of the write-ahead log began, another one is due at once", async () => {
  writeBackup(backups, "2026-01-02T00-00-00.000Z");
  await writeNewest(runtime);
  await writeBackupState(dataDir, { wal_began: { at: ctx.now().toISOString(), lsn: "0/1" } });
  await nightUntilFailed();
  await writeBackupState(dataDir, { wal_began: undefined, failed: undefined, told: undefined });
});

it("a server that is stopped while room is made for a backup starts none", async () => {
  const before = backupNames();
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  let looks = 0;
  let stopping: Promise<void> | undefined;
  // It looks at the time to decide whether one is due, and again before it makes room.
  const now = () => {
    looks += 1;
    if (looks === 2) stopping = nightly.stop();
    return ctx.now();
  };
  const nightly = startNightly(
    { ctx: { ...ctx, now }, log, settings },
    { everyMs: 20, env: programEnvironment({ dataDir, port: settings.PORT, env }) },
  );
  await eventually("it is stopped", () => stopping !== undefined);
  await stopping;
  expect([looks, backupNames()]).toEqual([2, before]);
  await writeBackupState(dataDir, { failed: undefined });
});

it("after the clock was set back, what it recorded before is reported, and delays neither a backup nor the notice about it", async () => {
  const ahead = "2999-01-01T00:00:00.000Z";
  const path = join(backups, ahead.replaceAll(":", "-"));
  const taken = readBackupState(dataDir).taken ?? expect.fail("there is no backup");
  cpSync(taken.path, path, { recursive: true });
  await writeBackupState(dataDir, { taken: { ...taken, at: ahead, path } });
  expect(checkBackups(settings, ctx.now())).toMatchObject([
    { state: "fault", message: `the newest backup is from ${ahead}, which is in the future` },
    { state: "fault", message: expect.stringContaining(`${path} is named after a time in the future`) },
  ]);
  expect(await registry.metrics()).toMatch(/^tillpost_backup_age_seconds\{what="taken"\} \+Inf$/m);
  await writeBackupState(dataDir, { failed: { at: ahead, reason: "the disk was away" }, told: { at: ahead } });
  await nightUntil("another one is tried", () => readBackupState(dataDir).failed?.at !== ahead, noRoom);
  expect(readBackupState(dataDir).told?.at).not.toBe(ahead);
  rmSync(path, { recursive: true });
  await writeBackupState(dataDir, { taken, failed: undefined, told: undefined });
});

it("without room for two, and if removing old ones wouldn't help, none is removed or written, and it is reported", async () => {
  const left = join(backups, ".unfinished-2026-01-03T00-00-00.000Z");
  mkdirSync(left);
  writeFileSync(join(left, "database.tar.zst"), "half");
  const notices = () => listNotices(ctx.db, "backup_missing");
  const before = (await notices()).length;
  const { taken } = readBackupState(dataDir);
  if (taken !== undefined) await writeBackupState(dataDir, { taken: { ...taken, at: longAgo } });
  await nightUntilFailed();
  expect(backupNames()).toHaveLength(2);
  // What a killed one left no longer takes space.
  expect(existsSync(left)).toBe(false);
  expect(lines.at(-1)).toContain("Not enough disk space in");
  expect(checkBackups(settings, ctx.now())).toMatchObject([
    { state: "fault", message: expect.stringMatching(/failed: Not enough disk space in .*: two backups must fit/) },
  ]);
  expect(await registry.metrics()).toMatch(/^tillpost_backup_failed 1$/m);
  // The operators have one notice, however often it is tried.
  await writeBackupState(dataDir, { failed: undefined });
  await nightUntilFailed();
  expect((await notices()).slice(before)).toMatchObject([{ recipient: ownMerchantId }]);
  expect(readFileSync(join(dataDir, "backups.json"), "utf8")).toContain(longAgo);
});
