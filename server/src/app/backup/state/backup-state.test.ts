import { execFile } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { writeBackup } from "#test/support/backups/written-backup.ts";
import { readManifest } from "../archive/manifest.ts";
import { recordTaken } from "../run-backup.ts";
import { readBackupState, writeBackupState } from "./backup-state.ts";

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("no change is lost or fails if two processes change it at the same moment", async () => {
  const dataDir = dataFolder();
  // As the backup process does while `serve` copies the write-ahead log.
  const other = `
    const { writeBackupState } = await import(${JSON.stringify(new URL("./backup-state.ts", import.meta.url).href)});
    for (let n = 1; n <= 100; n += 1)
      await writeBackupState(process.argv[1], ({ taken }) => ({ taken: { at: "", path: "", bytes: (taken?.bytes ?? 0) + 1 } }));`;
  const running = promisify(execFile)(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    other,
    dataDir,
  ]);
  const isRunning = { now: true };
  const ended = running.finally(() => (isRunning.now = false));
  let own = 0;
  while (isRunning.now || own < 100) {
    own += 1;
    const verified = { at: String(own), path: "" };
    await writeBackupState(dataDir, { verified });
    expect(readBackupState(dataDir).verified).toEqual(verified);
  }
  await ended;
  expect(readBackupState(dataDir)).toEqual({ taken: { at: "", path: "", bytes: 100 }, verified: { at: String(own), path: "" } });
  expect(readdirSync(dataDir).filter((name) => name.endsWith(".new"))).toEqual([]);
});

it("what root writes in another user's folder belongs to that user", async () => {
  const dataDir = dataFolder();
  // Without root's rights, the folder is the user's own.
  if (process.getuid?.() === 0) chownSync(dataDir, 65_534, 65_534);
  const owner = statSync(dataDir).uid;
  for (const bytes of [1, 2]) {
    await writeBackupState(dataDir, { taken: { at: "", path: "", bytes } });
    expect(readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid])).toEqual([
      ["backups.json", owner],
      ["backups.lock", owner],
    ]);
  }
});

const [same, other] = [{ system_id: "7000000000000000001" }, { system_id: "7000000000000000002" }];

it.each<[string, { system_id?: string; history?: string }, boolean]>([
  ["2026-11-20T03:10:00.000Z", same, true],
  // The clock was set back since the backup was started, or since copying began.
  ["2026-11-20T02:59:00.000Z", same, true],
  ["2999-01-01T00:00:00.000Z", same, true],
  ["2026-11-20T03:10:00.000Z", other, true],
  ["2026-11-20T02:59:00.000Z", other, false],
  ["2999-01-01T00:00:00.000Z", other, false],
  ["2026-11-20T02:59:00.000Z", { ...same, history: "00112233445566aa" }, false],
  // As earlier versions recorded it.
  ["2026-11-20T02:59:00.000Z", {}, false],
])("a beginning of the write-ahead log at %s, of the database %j, behind a long backup's end, is kept: %s", async (at, of, isKept) => {
  const dataDir = dataFolder();
  // It was started at three.
  const path = writeBackup(dataDir, "2026-11-20T03-00-00.000Z", { lsn: "0/2000000" });
  const known = { wal_began: { at, lsn: "0/3000000", ...of }, failed: { at, reason: "a gap" } };
  await writeBackupState(dataDir, known);
  const settings = { TILLPOST_DATA_DIR: dataDir, BACKUP_DIR: dataDir };
  const now = new Date("2026-11-20T03:20:00.000Z");
  await recordTaken(settings, { path, manifest: await readManifest(path) }, { isUncopied: false, now });
  const { wal_began, failed } = readBackupState(dataDir);
  expect({ wal_began, failed }).toEqual(isKept ? known : {});
});
