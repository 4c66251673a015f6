import { Gauge, type Registry } from "prom-client";
import type { Runtime } from "../../runtime/index.ts";
import { findFailure, readBackupState } from "../state/backup-state.ts";
import { isAhead } from "../state/is-ahead.ts";
import { findWalBehind } from "../wal/sql.ts";

/** Adds metrics of the age of the newest backup, and of the newest that passed a restore. */
export function measureBackups(registry: Registry, { ctx, settings }: Pick<Runtime, "ctx" | "settings">): void {
  new Gauge({
    name: "tillpost_backup_age_seconds",
    help: "Seconds since the newest backup was started (taken), and since one last passed restore --verify on this machine (verified). No sample if there was none; +Inf if the clock was ahead then and was set back since.",
    labelNames: ["what"],
    registers: [registry],
    collect() {
      this.reset();
      const { taken, verified } = readBackupState(settings.TILLPOST_DATA_DIR);
      const now = ctx.now();
      for (const [what, known] of Object.entries({ taken, verified }))
        if (known !== undefined) this.set({ what }, isAhead(known.at, now) ? Infinity : (now.getTime() - Date.parse(known.at)) / 1000);
    },
  });
  if (settings.BACKUP_WAL)
    new Gauge({
      name: "tillpost_backup_wal_behind_bytes",
      help: "Write-ahead log that the database keeps because it hasn't been copied yet. At 2 GB, the database discards it, and this is -1 until copying starts again.",
      registers: [registry],
      async collect() {
        this.set((await findWalBehind(ctx.db).catch(() => null)) ?? -1);
      },
    });
  if (settings.BACKUP_WAL && settings.BACKUP_S3_BUCKET !== null)
    new Gauge({
      name: "tillpost_backup_wal_uncopied_seconds",
      help: "For how many seconds write-ahead log hasn't been copied to the bucket because the store doesn't accept it; 0 if all of it is there.",
      registers: [registry],
      collect() {
        const { wal_uncopied } = readBackupState(settings.TILLPOST_DATA_DIR);
        this.set(wal_uncopied === undefined ? 0 : Math.max(0, ctx.now().getTime() - Date.parse(wal_uncopied.at)) / 1000);
      },
    });
  new Gauge({
    name: "tillpost_backup_failed",
    help: "1 if the last attempt to take a backup, or to copy it to the bucket, failed.",
    registers: [registry],
    collect() {
      this.set(findFailure(readBackupState(settings.TILLPOST_DATA_DIR), settings) === undefined ? 0 : 1);
    },
  });
}
