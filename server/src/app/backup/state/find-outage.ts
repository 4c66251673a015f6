import type { Settings } from "../../config.ts";
import { readBackupState } from "./backup-state.ts";

/** A store may be unavailable for a while. */
const patienceMs = 600_000;

/**
 * Since when write-ahead log can't be copied to the bucket, and why; null if it is copied, or hasn't been waiting long enough to be
 * reported.
 */
export function findOutage(
  settings: Pick<Settings, "TILLPOST_DATA_DIR" | "BACKUP_WAL" | "BACKUP_S3_BUCKET">,
  now: Date,
): { at: string; reason: string } | null {
  const { wal_uncopied } = readBackupState(settings.TILLPOST_DATA_DIR);
  if (wal_uncopied === undefined || !settings.BACKUP_WAL || settings.BACKUP_S3_BUCKET === null) return null;
  return now.getTime() - Date.parse(wal_uncopied.at) > patienceMs ? wal_uncopied : null;
}
