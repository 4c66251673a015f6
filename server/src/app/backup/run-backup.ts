import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { counted, parseLsn } from "#platform/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { tryLock } from "../embedded/index.ts";
import { howToStart } from "../installed/how-to-run.ts";
import { openKeySource } from "../master-keys/index.ts";
import { createRuntime, makeLog } from "../runtime/index.ts";
import { requireMounted } from "./archive/backup-folder.ts";
import { copyBackups } from "./archive/copy-backups.ts";
import { makeIdentity } from "./archive/make-identity.ts";
import type { Manifest } from "./archive/manifest.ts";
import { megabytes } from "./archive/megabytes.ts";
import { bucketOf } from "./bucket/bucket-of.ts";
import type { Bucket } from "./bucket/open-bucket.ts";
import { type BackupState, readBackupState, writeBackupState } from "./state/backup-state.ts";
import { isAhead } from "./state/is-ahead.ts";
import { type Taken, takeBackup } from "./take-backup.ts";
import { isOf } from "./wal/index.ts";

/** How soon to look again whether another process is done. */
const againMs = 1_000;

export async function run(settings: Settings, { values }: Given): Promise<number> {
  if (typeof values["new-key"] === "string") {
    process.stdout.write(await makeIdentity(resolve(values["new-key"])));
    return 0;
  }
  const bucket = await bucketOf(settings);
  if (values["copy"] === true) return await copyAll(settings, bucket);
  const from = resolve(settings.TILLPOST_DATA_DIR, "postgres.json");
  if (settings.DATABASE_URL === null && !existsSync(from))
    throw new Error(`There is no Tillpost in ${settings.TILLPOST_DATA_DIR} yet. \`${howToStart()}\` creates one.`);
  const began = performance.now();
  const to = typeof values["to"] === "string" ? resolve(values["to"]) : null;
  // A person who names the folder means it as it is.
  if (to === null && settings.DATABASE_URL === null) await requireMounted(settings);
  const runtime = await createRuntime(settings, { log: makeLog({ level: "error", pretty: true }), share: true });
  const taken = await takeBackup(runtime, to ?? settings.BACKUP_DIR).finally(() => runtime.close());
  const isUsual = dirname(taken.path) === settings.BACKUP_DIR;
  // One that is kept elsewhere is no reason to leave out a nightly one.
  if (isUsual || !settings.BACKUP_NIGHTLY)
    await recordTaken(settings, taken, { isUncopied: isUsual && bucket !== null, now: runtime.ctx.now() });
  process.stdout.write(describe(taken, settings, (performance.now() - began) / 1000));
  for (const left of taken.leftovers) process.stderr.write(`Couldn't be removed: ${left}\n`);
  return bucket === null || !isUsual ? 0 : await copyAll(settings, bucket);
}

/** Also ends a failure. One about a gap in the write-ahead log is only ended by a backup from after that gap, next to the log. */
export async function recordTaken(
  { TILLPOST_DATA_DIR, BACKUP_DIR }: Pick<Settings, "TILLPOST_DATA_DIR" | "BACKUP_DIR">,
  { path, manifest }: Pick<Taken, "path" | "manifest">,
  { isUncopied, now }: { isUncopied: boolean; now: Date },
): Promise<void> {
  const taken = { at: manifest.started_at, path, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) };
  await writeBackupState(TILLPOST_DATA_DIR, ({ wal_began }) => {
    const isFollowed = wal_began === undefined || (dirname(path) === BACKUP_DIR && reaches(manifest, wal_began, now));
    return {
      taken,
      ...(isUncopied ? { uncopied: true } : {}),
      ...(isFollowed ? { wal_began: undefined, failed: undefined, told: undefined } : {}),
    };
  });
}

/**
 * Whether a backup ends where copying of the write-ahead log began, or later. If copying began in another database, such as the one before
 * an upgrade, their positions can't be compared: a backup that was started later does, and any if the clock was ahead at the beginning.
 */
function reaches({ started_at, postgres }: Manifest, began: NonNullable<BackupState["wal_began"]>, now: Date): boolean {
  if (parseLsn(postgres.end.lsn) >= parseLsn(began.lsn)) return true;
  return !isOf({ system_id: "", ...began }, postgres) && (started_at > began.at || isAhead(began.at, now));
}

/** Copies to the bucket what it lacks, and records whether it could. */
async function copyAll(settings: Settings, bucket: Bucket | null): Promise<number> {
  if (bucket === null) throw new Error("No bucket is set to copy backups to: set BACKUP_S3_ENDPOINT and the other BACKUP_S3_… settings.");
  const { TILLPOST_DATA_DIR: dataDir, BACKUP_DIR: folder } = settings;
  const release = await lockCopying(dataDir);
  try {
    const before = readBackupState(dataDir).taken;
    const files = await copyBackups(folder, bucket, before?.path).catch(async (error: Error) => {
      await writeBackupState(dataDir, ({ uncopied = true }) => ({ uncopied }));
      throw new Error(`Not all backups could be copied to the bucket ${bucket.name}: ${error.message}. Their folder is ${folder}.`, {
        cause: error,
      });
    });
    await writeBackupState(dataDir, ({ taken, failed, uncopied }) => {
      // Another process took one since, and copies it itself.
      if (taken?.path !== before?.path) return {};
      return { uncopied: undefined, ...(typeof uncopied === "object" && failed === undefined ? { told: undefined } : {}) };
    });
    process.stdout.write(`Copied to the bucket ${bucket.name}: ${counted(files, "file")}.\n`);
    return 0;
  } finally {
    release();
  }
}

/** Two processes would upload the same files. */
async function lockCopying(dataDir: string): Promise<() => void> {
  for (let isSaid = false; ; isSaid = true) {
    const release = tryLock(dataDir, "backups-copying.lock");
    if (release !== null) return release;
    if (!isSaid) process.stdout.write("Another process is copying backups to the bucket. Waiting for it.\n");
    await sleep(againMs);
  }
}

function describe({ path, manifest }: Taken, settings: Settings, seconds: number): string {
  const written = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const held = manifest.files.reduce((sum, { holds_bytes }) => sum + holds_bytes, 0);
  return [
    `Backed up to ${path}: ${megabytes(written)} for ${megabytes(held)} of data, in ${seconds.toFixed(1)} s.`,
    manifest.recipient === null
      ? "It isn't encrypted: anyone who has it can read the database. To encrypt backups, set BACKUP_RECIPIENT to a public key."
      : `Encrypted to ${manifest.recipient}.`,
    ...(manifest.uploads === "in this backup"
      ? []
      : [`Uploaded files are in the bucket ${manifest.uploads.s3_bucket} and aren't part of it.`]),
    `It doesn't include the master keys. Keep a copy of ${openKeySource(settings).name} somewhere else: without them, encrypted secrets can't be restored.`,
    "",
  ].join("\n");
}
