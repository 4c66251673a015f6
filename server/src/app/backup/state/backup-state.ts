import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What is known about this installation's backups. Times are ISO. */
export interface BackupState {
  /** The newest finished one. */
  taken?: { at: string; path: string; bytes: number };
  /** The newest that passed `restore --verify` here. */
  verified?: { at: string; path: string };
  /** The newest isn't in the bucket yet; absent once it is. */
  uncopied?: true;
  /** Where copying of the write-ahead log began, or began again after a gap; absent once a backup that it follows is finished. */
  wal_began?: { at: string; lsn: string };
  /** Since when write-ahead log can't be copied to the bucket, and why by the latest attempt; absent once all of it is there. */
  wal_uncopied?: { at: string; reason: string };
  /** Why the last attempt failed, or that there is such a gap; absent once one is finished. */
  failed?: { at: string; reason: string };
  /** When the operators were last notified that there is no current one; absent once one is finished. */
  told?: { at: string };
}

const name = "backups.json";

/**
 * Reads it from the data folder. It isn't stored in the database, because a restored database would know nothing of the backup it came
 * from.
 */
export function readBackupState(dataDir: string): BackupState {
  try {
    return (JSON.parse(readFileSync(join(dataDir, name), "utf8")) as BackupState | null) ?? {};
  } catch {
    // Nothing is known yet, or the file is incomplete: the next backup fixes both.
    return {};
  }
}

type Change = { [Key in keyof BackupState]: BackupState[Key] | undefined };

let last: Promise<unknown> = Promise.resolve();

/** Changes what is known; `undefined` removes a value. A process makes one change at a time. */
export async function writeBackupState(dataDir: string, change: Change): Promise<void> {
  const writing = last.then(() => write(dataDir, change));
  last = writing.catch(() => {});
  await writing;
}

/** Forgets what was known about backups of another database in this data folder, except what was verified on this machine. */
export async function deleteTaken(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, name))) return;
  const gone = { taken: undefined, uncopied: undefined, wal_began: undefined, wal_uncopied: undefined };
  await writeBackupState(dataDir, { ...gone, failed: undefined, told: undefined });
}

async function write(dataDir: string, change: Change): Promise<void> {
  const file = join(dataDir, name);
  const temporary = `${file}.new`;
  await writeFile(temporary, `${JSON.stringify({ ...readBackupState(dataDir), ...change }, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, file);
}
