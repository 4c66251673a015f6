import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ownMerchantId } from "#platform/index.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { databaseProcesses, killNow, programEnvironment, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readSettings } from "../../config.ts";
import { checkBackups } from "../../doctor/backup-checks.ts";
import { createRuntime, makeLog, type Runtime } from "../../runtime/index.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { startNightly } from "./run-nightly.ts";

const folder = temporaryFolder();
const dataDir = await startedFolder(join(folder.path, "data"));
const backups = join(folder.path, "backups");
const env = { BACKUP_DIR: backups, BACKUP_KEEP: "2", DISK_RESERVE_MB: "32", METRICS_TOKEN: "a-token-of-the-test" };
const server = await (await startProgram({ dataDir, env: { ...env, WORKERS: "off" } })).ready();
const lines: string[] = [];
const log = makeLog({ level: "info", pretty: false, write: (line) => lines.push(line) });
const settings = readSettings(programEnvironment({ dataDir, port: server.port, env }));
const testApp = await createRuntime(settings, { log, share: true });

afterAll(async () => {
  await testApp.close();
  await server.stop();
  databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

const longAgo = "2026-01-01T00:00:00.000Z";
const backupNames = () => readdirSync(backups).filter((name) => name.startsWith("2"));
const metrics = async () => (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } })).text();

async function nightUntil(what: string, holds: () => boolean, own: Partial<Runtime["settings"]> = {}): Promise<void> {
  const nightly = startNightly(
    { ctx: testApp.ctx, log, settings: { ...settings, ...own } },
    { everyMs: 20, env: programEnvironment({ dataDir, port: server.port, env }) },
  );
  await eventually(what, holds);
  await nightly.stop();
}

it("without any earlier backup one is taken immediately, doctor and metrics report it, and no other follows", async () => {
  expect(await metrics()).not.toMatch(/^tillpost_backup_age_seconds\{/m);
  utimesSync(join(dataDir, "postgres.json"), new Date(longAgo), new Date(longAgo));
  expect(checkBackups(settings, testApp.ctx.now())).toMatchObject([{ state: "fault", message: "there is no backup" }]);
  await nightUntil("a backup is taken", () => lines.some((line) => line.includes("the master keys are not part of it")));
  expect(backupNames()).toHaveLength(1);
  expect(checkBackups(settings, testApp.ctx.now())).toMatchObject([
    { state: "fine" },
    { state: "note", message: "no backup has been verified yet" },
  ]);
  expect(await metrics()).toMatch(/^tillpost_backup_age_seconds\{what="taken"\} \d/m);
});

it("a failed backup is tried again an hour later, and the oldest ones are removed once more exist than should be kept", async () => {
  const [name = ""] = backupNames();
  for (const older of ["2026-01-01T00-00-00.000Z", "2026-01-02T00-00-00.000Z"])
    cpSync(join(backups, name), join(backups, older), { recursive: true });
  await writeBackupState(dataDir, { failed: { at: longAgo, reason: "the disk was away" } });
  await nightUntil("old ones are removed", () => backupNames().length === 2 && !backupNames().includes("2026-01-02T00-00-00.000Z"));
  expect(backupNames()).toContain(name);
  expect(readBackupState(dataDir).failed).toBeUndefined();
});

it("without room for two, and if removing old ones wouldn't help, none is removed or written, and it is reported", async () => {
  const left = join(backups, ".unfinished-2026-01-03T00-00-00.000Z");
  mkdirSync(left);
  writeFileSync(join(left, "database.tar.zst"), "half");
  const { taken } = readBackupState(dataDir);
  if (taken !== undefined) await writeBackupState(dataDir, { taken: { ...taken, at: longAgo } });
  await nightUntil("it is said", () => readBackupState(dataDir).failed !== undefined, { DISK_RESERVE_MB: 1_000_000_000 });
  expect(backupNames()).toHaveLength(2);
  // What a killed one left no longer takes space.
  expect(existsSync(left)).toBe(false);
  expect(lines.at(-1)).toContain("Not enough disk space in");
  expect(checkBackups(settings, testApp.ctx.now())).toMatchObject([
    { state: "fault", message: expect.stringMatching(/failed: Not enough disk space in .*: two backups must fit/) },
  ]);
  expect(await metrics()).toMatch(/^tillpost_backup_failed 1$/m);
  // The operators have one notice, however often it is tried.
  await writeBackupState(dataDir, { failed: undefined });
  await nightUntil("it is said again", () => readBackupState(dataDir).failed !== undefined, { DISK_RESERVE_MB: 1_000_000_000 });
  expect(await listNotices(testApp.ctx.db, "backup_missing")).toMatchObject([{ recipient: ownMerchantId }]);
  expect(readFileSync(join(dataDir, "backups.json"), "utf8")).toContain(longAgo);
});
