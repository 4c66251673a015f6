import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What is known of this installation's backups. Times are ISO. */
export interface BackupState {
  /** The newest that was finished. */
  taken?: { at: string; path: string; bytes: number };
  /** The newest that passed `restore --verify` here. */
  verified?: { at: string; path: string };
  /** The newest is not in the bucket yet; gone once it is. */
  uncopied?: true;
  /** Why the last attempt failed; gone once one is finished. */
  failed?: { at: string; reason: string };
  /** When the operators were last told that there is no current one; gone once one is finished. */
  told?: { at: string };
}

const name = "backups.json";

/** Reads it from the data folder. It is kept there and not in the database: a restored database would know nothing of the backup that it came from. */
export function readBackupState(dataDir: string): BackupState {
  try {
    return (JSON.parse(readFileSync(join(dataDir, name), "utf8")) as BackupState | null) ?? {};
  } catch {
    // Nothing is known yet, or half a file is left: both end with the next backup.
    return {};
  }
}

/** Changes what is known; `undefined` forgets. */
export async function writeBackupState(dataDir: string, change: { [Key in keyof BackupState]: BackupState[Key] | undefined }): Promise<void> {
  const file = join(dataDir, name);
  const fresh = `${file}.new`;
  await writeFile(fresh, `${JSON.stringify({ ...readBackupState(dataDir), ...change }, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(fresh, file);
}
