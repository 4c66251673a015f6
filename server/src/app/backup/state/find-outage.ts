import type { Settings } from "../../config.ts";
import { readBackupState } from "./backup-state.ts";

/** A store may be unavailable for a while. */
const patienceMs = 600_000;

/** Since when write-ahead log can't be copied, and why. */
export interface WalOutage {
  at: string;
  reason: string;
  /** The bucket that it can't be copied to; null if it can't even be written to the folder of the backups. */
  bucket: string | null;
}

/** The write-ahead log's outage; null if all of it is copied, or hasn't been waiting long enough to be reported. */
export function findOutage(settings: Pick<Settings, "TILLPOST_DATA_DIR" | "BACKUP_WAL" | "BACKUP_S3_BUCKET">, now: Date): WalOutage | null {
  if (!settings.BACKUP_WAL) return null;
  const { wal_uncopied, wal_unwritten } = readBackupState(settings.TILLPOST_DATA_DIR);
  const isLong = (known: { at: string } | undefined) => known !== undefined && now.getTime() - Date.parse(known.at) > patienceMs;
  if (wal_unwritten !== undefined && isLong(wal_unwritten)) return { ...wal_unwritten, bucket: null };
  if (wal_uncopied === undefined || settings.BACKUP_S3_BUCKET === null || !isLong(wal_uncopied)) return null;
  return { ...wal_uncopied, bucket: settings.BACKUP_S3_BUCKET };
}
