import type { BackupHealth } from "#http/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { readBackupState } from "./backup-state.ts";

/** The state of the backups, for operators. */
export function findBackupHealth({ backupUrl, settings }: Pick<Runtime, "backupUrl" | "settings">): BackupHealth {
  const { taken, verified, failed } = backupUrl === null ? {} : readBackupState(settings.TILLPOST_DATA_DIR);
  const at = (known: { at: string } | undefined) => (known === undefined ? null : new Date(known.at));
  return {
    backups: backupUrl === null ? "elsewhere" : settings.BACKUP_NIGHTLY ? "nightly" : "off",
    backup_at: at(taken),
    backup_verified_at: at(verified),
    backup_failed_at: at(failed),
    backup_failure: failed?.reason ?? null,
  };
}
