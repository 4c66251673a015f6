import { renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { bucketWorld } from "#test/support/backups/bucket-world.ts";
import { startProgram } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { tryLock } from "../../embedded/index.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { findBackupHealth } from "../state/find-health.ts";
import { recordFailure } from "../state/record-failure.ts";

const { at, store, dataDir, backups, env, run, runtime, there, backupNames, nightly, nightUntil } = await bucketWorld();
const longAgo = "2026-01-01T00:00:00.000Z";

beforeAll(async () => {
  expect(await run(["backup"])).toMatchObject({ code: 0 });
});

it("backups whose copy to the bucket is killed are copied later without a new backup", async () => {
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  store.stuck = "2";
  await nightUntil("it is being copied", () => store.isHeld);
  const names = backupNames();
  expect([names.length, readBackupState(dataDir).uncopied]).toEqual([2, true]);
  expect(checkBackups(runtime.settings, runtime.ctx.now())).toContainEqual(
    expect.objectContaining({ state: "note", message: "the newest backup isn't in the bucket backups yet" }),
  );
  store.stuck = null;
  await nightUntil("it is copied", () => readBackupState(dataDir).uncopied === undefined);
  expect([backupNames(), there(names[1] ?? "").length]).toEqual([names, 4]);
});

it.each<[string, { taken?: { at: string }; failed?: { at: string; reason: string } }]>([
  ["the next one is due", { taken: { at: longAgo } }],
  ["the next one, which failed, is tried again", { failed: { at: longAgo, reason: "It failed." } }],
])("backups that are still being copied when %s don't delay it", async (_when, due) => {
  const taken = readBackupState(dataDir).taken ?? expect.fail("there is no backup");
  store.objects.delete(`${basename(taken.path)}/SHA256SUMS`);
  await writeBackupState(dataDir, { uncopied: true });
  Object.assign(store, { stuck: "2", isHeld: false });
  const running = nightly();
  await eventually("it is being copied", () => store.isHeld);
  await writeBackupState(dataDir, { ...due, taken: { ...taken, ...due.taken } });
  await eventually("the next one is taken", () => readBackupState(dataDir).taken?.path !== taken.path);
  await running.stop();
  expect(readBackupState(dataDir)).toMatchObject({ uncopied: true });
  store.stuck = null;
  expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 5 files.\n" });
});

it("backups that are still being copied aren't interrupted when the next one is refused", async () => {
  const { path } = readBackupState(dataDir).taken ?? expect.fail("there is no backup");
  store.objects.delete(`${basename(path)}/SHA256SUMS`);
  await writeBackupState(dataDir, { uncopied: true });
  Object.assign(store, { stuck: "2", isHeld: false });
  // More than there is.
  const running = nightly({ DISK_RESERVE_MB: 1_000_000_000 });
  onTestFinished(async () => {
    await running.stop();
    Object.assign(store, { stuck: null });
  });
  await eventually("they are being copied", () => store.isHeld);
  const failed = () => readBackupState(dataDir).failed;
  const refusal = async () => {
    await writeBackupState(dataDir, { failed: { at: longAgo, reason: "It failed." } });
    await eventually("it is refused", () => failed()?.at !== longAgo);
    // Another copy would take much longer to begin.
    const release = tryLock(dataDir, "backups-copying.lock");
    release?.();
    expect(release, "the copy's lock").toBeNull();
    return failed()?.reason;
  };
  expect(await refusal()).toContain("two backups must fit");
  const names = backupNames();
  for (const name of names) renameSync(join(backups, name), at(name));
  expect(await refusal()).toContain("If its disk isn't mounted, mount it.");
  for (const name of names) renameSync(at(name), join(backups, name));
  await running.stop();
  store.stuck = null;
  expect(await run(["backup", "--copy"])).toMatchObject({ code: 0, output: "Copied to the bucket backups: 1 file.\n" });
  await writeBackupState(dataDir, { failed: undefined });
});

it("backups that can't be copied hide no gap in the write-ahead log, and don't delay the backup that ends it", async () => {
  const { path } = readBackupState(dataDir).taken ?? expect.fail("there is no backup");
  const at = runtime.ctx.now();
  await writeBackupState(dataDir, {
    wal_began: { at: at.toISOString(), lsn: "0/1" },
    failed: { at: at.toISOString(), reason: "a gap" },
  });
  await recordFailure(runtime, { at: new Date(at.getTime() + 1).toISOString(), reason: "the store is away", copying: true });
  expect(findBackupHealth(runtime).backup_failure).toBe("a gap");
  const isTaken = () => readBackupState(dataDir).taken?.path !== path;
  await nightUntil("one is taken and copied", () => isTaken() && readBackupState(dataDir).uncopied === undefined);
  expect(readBackupState(dataDir)).not.toMatchObject({ wal_began: expect.anything() });
});

it("in a folder that is empty after each restart they are taken if all are in the bucket and no write-ahead log can wait in it", async () => {
  const { failed, uncopied, taken } = readBackupState(dataDir);
  expect([failed, uncopied, there(basename(taken?.path ?? "")).length]).toEqual([undefined, undefined, 4]);
  for (const name of backupNames()) rmSync(join(backups, name), { recursive: true });
  const reason = () => readBackupState(dataDir).failed?.reason;
  const retryUntil = async (what: string, holds: () => boolean, own: Partial<typeof runtime.settings>) => {
    await writeBackupState(dataDir, { failed: { at: longAgo, reason: "It failed." } });
    await nightUntil(what, holds, own);
  };
  const isRefused = () => reason()?.includes("If its disk isn't mounted, mount it.") === true;
  await retryUntil("it is refused with write-ahead log", isRefused, { BACKUP_WAL: true });
  await retryUntil("it is refused without a bucket", isRefused, { BACKUP_WAL: false, BACKUP_S3_BUCKET: null });
  await writeBackupState(dataDir, { uncopied: { at: runtime.ctx.now().toISOString(), reason: "the store is away" } });
  await retryUntil("it is refused while the newest isn't there", isRefused, { BACKUP_WAL: false });
  await writeBackupState(dataDir, { uncopied: undefined });
  const isDone = () => readBackupState(dataDir).failed?.at !== longAgo && readBackupState(dataDir).uncopied === undefined;
  await retryUntil("it is refused, or taken and copied", isDone, { BACKUP_WAL: false });
  expect([reason(), backupNames().length]).toEqual([undefined, 1]);
});

it("backups are copied by one process at a time", async () => {
  const release = tryLock(dataDir, "backups-copying.lock") ?? expect.fail("it is locked");
  const program = await startProgram({ dataDir, command: ["backup", "--copy"], env });
  onTestFinished(() => program.kill("SIGKILL"));
  await eventually("it waits", () => program.output.includes("Another process is copying backups"));
  release();
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(program.output).toContain("Copied to the bucket backups: 0 files.");
});
