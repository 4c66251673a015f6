import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { anchorAudit, beginAnchors, chainAudit } from "#audit/index.ts";
import { openDatabase } from "#platform/index.ts";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { anchorFile, holdAnchors } from "../runtime/index.ts";
import { type Taken, takeBackup } from "./take-backup.ts";

const folder = temporaryFolder();
const dataDir = await startedFolder(join(folder.path, "data"));
const backups = join(folder.path, "backups");
const env = { BACKUP_DIR: backups, DISK_RESERVE_MB: "32" };
const runtime = await openForCommands(dataDir, env);
mkdirSync(backups);
const { ctx } = runtime;
while ((await chainAudit(ctx)) > 0);
const anchors = anchorFile(dataDir);

afterAll(async () => {
  await runtime.close();
  folder.remove();
});

/** Takes a backup, and runs `work` again and again while the database is copied. */
async function duringCopy(work: () => Promise<void>): Promise<Taken> {
  let isDone = false;
  const isCopying = () => readdirSync(backups).some((name) => existsSync(join(backups, name, "database.tar.zst")) && name.startsWith("."));
  const taking = takeBackup(runtime, backups).finally(() => (isDone = true));
  taking.catch(() => {});
  await eventually("the database is copied", async () => {
    if (isCopying()) await work();
    return isDone;
  });
  return await taking;
}

it("an anchor that is due while the database is copied is written afterwards, so the backup's database and anchors agree", async () => {
  // The anchors are copied before the database.
  let isAnchored = false;
  const { path } = await duringCopy(async () => {
    isAnchored ||= await anchorAudit(ctx, anchors);
  });
  const { code, output } = await runHere({ dataDir, command: ["restore", "--verify", path], env });
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(isAnchored || (await anchorAudit(ctx, anchors))).toBe(true);
});

it("write-ahead log of backups that were removed manually makes room for the next one before that is written", async () => {
  const wal = join(backups, "wal", "7000000000000000001");
  mkdirSync(wal, { recursive: true });
  writeFileSync(join(wal, "00000001-0000000001000000-0000000002000000.wal.zst"), "");
  let isThere: boolean | undefined;
  await duringCopy(async () => void (isThere ??= existsSync(wal)));
  expect(isThere).toBe(false);
});

it("write-ahead log stays, and that is reported, if a backup that may need it can't be read at the moment", async () => {
  const wal = join(backups, "wal", "7000000000000000001");
  mkdirSync(wal, { recursive: true });
  writeFileSync(join(wal, "00000001-0000000001000000-0000000002000000.wal.zst"), "");
  const written = writeBackup(backups, "2026-01-01T03-00-00.000Z");
  onTestFinished(() => [written, wal].forEach((path) => rmSync(path, { recursive: true })));
  rmSync(join(written, "manifest.json"));
  // A folder instead of the file: it can't be read, by no user.
  mkdirSync(join(written, "manifest.json"));
  expect((await takeBackup(runtime, backups)).leftovers).toEqual([expect.stringContaining("manifest.json can't be read: EISDIR")]);
  expect(readdirSync(wal)).toHaveLength(1);
});

it("anchors aren't restarted while the database is copied either", async () => {
  await anchorAudit(ctx, anchors);
  const before = await anchors.list();
  const [release, releaseOther] = [await holdAnchors(dataDir), await holdAnchors(dataDir)];
  release();
  expect(await beginAnchors(ctx, anchors, "A test")).toBeNull();
  expect(await runHere({ dataDir, command: ["doctor", "--begin-anchors", "A test"], env })).toMatchObject({
    code: 1,
    output: expect.stringContaining("the anchors weren't restarted: a backup is being taken"),
  });
  releaseOther();
  expect(await anchors.list()).toEqual(before);
  expect(await beginAnchors(ctx, anchors, "A test")).toEqual({ aside: expect.stringContaining("audit-anchors.until-") });
});

it("a copy whose connection the database ends says why that probably was, and what to do", async () => {
  const other = openDatabase({ url: runtime.backupUrl ?? "", max: 1 });
  onTestFinished(() => other.close());
  const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tillpost-backup'";
  const refusal = await duringCopy(async () => void (await runStatement(other.db, end))).catch((error: Error) => error.message);
  expect(refusal).toMatch(/^The copy of the database was cut off \(.+\): Tillpost was stopped, or more than 2 GB was written/);
  expect(readdirSync(backups).filter((name) => name.startsWith("."))).toEqual([]);
});
