import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Settings } from "../../config.ts";
import { tryLock, writeAtomically } from "../../embedded/index.ts";

/** What is known about this installation's backups. Times are ISO. */
export interface BackupState {
  /** The newest finished one. */
  taken?: { at: string; path: string; bytes: number };
  /** The newest that passed `restore --verify` here. */
  verified?: { at: string; path: string };
  /**
   * The newest isn't in the bucket yet, and why by the latest attempt; absent once it is. `true` is set together with `taken`, because a
   * copy may be killed.
   */
  uncopied?: true | { at: string; reason: string };
  /**
   * Where copying of the write-ahead log began, or began again after a gap, and in which database; absent once a backup that it follows is
   * finished. Earlier versions didn't record the database.
   */
  wal_began?: { at: string; lsn: string; system_id?: string; history?: string | null | undefined };
  /** Since when write-ahead log can't be copied to the bucket, and why by the latest attempt; absent once all of it is there. */
  wal_uncopied?: { at: string; reason: string };
  /** Since when write-ahead log can't be written next to the backups, and why; absent once it is. */
  wal_unwritten?: { at: string; reason: string };
  /** Why the last attempt to take one failed, or that there is such a gap; absent once one is finished. */
  failed?: { at: string; reason: string };
  /** When the operators were last notified of trouble, and whether that is over since; absent once a backup is finished. */
  told?: { at: string; over?: true };
}

const name = "backups.json";
const lockName = "backups.lock";
/** A change takes milliseconds. */
const lockTimeoutMs = 10_000;

/**
 * Reads it from the data folder. It isn't stored in the database, because a restored database would know nothing of the backup it came
 * from.
 */
export function readBackupState(dataDir: string): BackupState {
  try {
    const { failed, ...known } = (JSON.parse(readFileSync(join(dataDir, name), "utf8")) as BackupState | null) ?? {};
    if (failed === undefined) return known;
    // Earlier versions recorded it like this if one was taken and only couldn't be copied.
    return failed.reason.includes("Not all backups could be copied to the bucket") ? { ...known, uncopied: failed } : { ...known, failed };
  } catch {
    // Nothing is known yet, or the file is incomplete: the next backup fixes both.
    return {};
  }
}

/** What to report: why none could be taken, or why the newest couldn't be copied to the bucket that is set. */
export function findFailure(
  { failed, uncopied }: BackupState,
  { BACKUP_S3_BUCKET }: Pick<Settings, "BACKUP_S3_BUCKET">,
): BackupState["failed"] {
  return failed ?? (uncopied === true || BACKUP_S3_BUCKET === null ? undefined : uncopied);
}

type Change = { [Key in keyof BackupState]: BackupState[Key] | undefined };

let last: Promise<unknown> = Promise.resolve();

/**
 * Changes what is known; `undefined` removes a value. `serve` and its backup process make one change at a time, so that none is lost. What
 * a change depends on must be read in a function, which gets what is known at that moment.
 */
export async function writeBackupState(dataDir: string, change: Change | ((known: BackupState) => Change)): Promise<void> {
  const writing = last.then(() => write(dataDir, change));
  last = writing.catch(() => {});
  await writing;
}

/** Forgets what was known about backups of another database in this data folder, except what was verified on this machine. */
export async function deleteTaken(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, name))) return;
  const gone = { taken: undefined, uncopied: undefined, wal_began: undefined, wal_uncopied: undefined, wal_unwritten: undefined };
  await writeBackupState(dataDir, { ...gone, failed: undefined, told: undefined });
}

async function write(dataDir: string, change: Change | ((known: BackupState) => Change)): Promise<void> {
  const release = await lockState(dataDir);
  try {
    const known = readBackupState(dataDir);
    const changed = { ...known, ...(typeof change === "function" ? change(known) : change) };
    await writeAtomically(join(dataDir, name), `${JSON.stringify(changed, null, 2)}\n`);
  } finally {
    release();
  }
}

async function lockState(dataDir: string): Promise<() => void> {
  for (const start = performance.now(); ; ) {
    const release = tryLock(dataDir, lockName);
    if (release !== null) return release;
    if (performance.now() - start > lockTimeoutMs)
      throw new Error(`Another process has locked ${join(dataDir, lockName)} for ${lockTimeoutMs / 1000} s.`);
    await sleep(10);
  }
}
