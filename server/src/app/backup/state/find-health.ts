import type { BackupHealth } from "#requests/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { type BackupState, findFailure, readBackupState } from "./backup-state.ts";
import { findOutage } from "./find-outage.ts";

/** The state of the backups, for operators. */
export function findBackupHealth({ backupUrl, ctx, settings }: Pick<Runtime, "backupUrl" | "ctx" | "settings">): BackupHealth {
  const known: BackupState = backupUrl === null ? {} : readBackupState(settings.TILLPOST_DATA_DIR);
  const outage = backupUrl === null ? null : findOutage(settings, ctx.now());
  const place = outage?.bucket == null ? "backups" : `bucket ${outage.bucket}`;
  const reason = `The write-ahead log can't be copied to the ${place}: ${outage?.reason}`;
  const failed = findFailure(known, settings) ?? (outage === null ? null : { at: outage.at, reason });
  const at = (one: { at: string } | null | undefined) => (one == null ? null : new Date(one.at));
  return {
    backups: backupUrl === null ? "elsewhere" : settings.BACKUP_NIGHTLY ? "nightly" : "off",
    backup_at: at(known.taken),
    backup_verified_at: at(known.verified),
    backup_failed_at: at(failed),
    backup_failure: failed?.reason ?? null,
  };
}
