import type { Settings } from "../../config.ts";
import type { Runtime } from "../../runtime/index.ts";
import { findFailure, readBackupState, writeBackupState } from "../state/backup-state.ts";
import { findOutage } from "../state/find-outage.ts";
import { isAhead } from "../state/is-ahead.ts";
import { notifyOperators } from "../state/record-failure.ts";

type Source = Pick<Runtime, "ctx" | "log" | "settings">;

/** Whether the write-ahead log can't be written to the folder of the backups, or from there not be copied to the bucket. */
type Step = "wal_unwritten" | "wal_uncopied";

/**
 * Records since when write-ahead log can't be copied, and why by the latest attempt, and notifies the operators once that has lasted for
 * some minutes. It doesn't count as a failed backup, because another one wouldn't help.
 */
export async function noteOutage(runtime: Source, step: Step, reason: string): Promise<void> {
  const { TILLPOST_DATA_DIR } = runtime.settings;
  const now = runtime.ctx.now();
  const known = readBackupState(TILLPOST_DATA_DIR)[step];
  const at = known === undefined || isAhead(known.at, now) ? now.toISOString() : known.at;
  if (known === undefined || known.at !== at || known.reason !== reason)
    await writeBackupState(TILLPOST_DATA_DIR, { [step]: { at, reason } });
  const outage = findOutage(runtime.settings, now);
  if (outage !== null)
    await notifyOperators(runtime, { reason: `Since ${outage.at}: ${outage.reason}`, what: "write_ahead_log", bucket: outage.bucket });
}

/** Records that all of it is there. Operators who were notified of that are notified again of the next trouble. */
export async function noteCopied(
  { settings: { TILLPOST_DATA_DIR, BACKUP_S3_BUCKET } }: { settings: Pick<Settings, "TILLPOST_DATA_DIR" | "BACKUP_S3_BUCKET"> },
  step: Step,
): Promise<void> {
  if (readBackupState(TILLPOST_DATA_DIR)[step] === undefined) return;
  await writeBackupState(TILLPOST_DATA_DIR, (known) => {
    const { told, wal_unwritten, wal_uncopied } = known;
    const other = step === "wal_uncopied" ? wal_unwritten : BACKUP_S3_BUCKET === null ? undefined : wal_uncopied;
    const isLast = findFailure(known, { BACKUP_S3_BUCKET }) === undefined && other === undefined;
    return { [step]: undefined, ...(isLast && told !== undefined ? { told: { at: told.at, over: true } } : {}) };
  });
}
