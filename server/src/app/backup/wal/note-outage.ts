import type { Runtime } from "../../runtime/index.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { findOutage } from "../state/find-outage.ts";
import { isAhead } from "../state/is-ahead.ts";
import { notifyOperators } from "../state/record-failure.ts";

type Source = Pick<Runtime, "ctx" | "log" | "settings">;

/**
 * Records since when write-ahead log can't be copied to the bucket, and why by the latest attempt, and notifies the operators once that has
 * lasted for some minutes. It doesn't count as a failed backup, because another one wouldn't help.
 */
export async function noteOutage(runtime: Source, { reason, bucket }: { reason: string; bucket: string }): Promise<void> {
  const { TILLPOST_DATA_DIR } = runtime.settings;
  const now = runtime.ctx.now();
  const { wal_uncopied: known } = readBackupState(TILLPOST_DATA_DIR);
  const at = known === undefined || isAhead(known.at, now) ? now.toISOString() : known.at;
  if (known === undefined || known.at !== at || known.reason !== reason)
    await writeBackupState(TILLPOST_DATA_DIR, { wal_uncopied: { at, reason } });
  const outage = findOutage(runtime.settings, now);
  if (outage !== null) await notifyOperators(runtime, { reason: `Since ${outage.at}: ${reason}`, bucket });
}

/** Records that all of it is there. */
export async function noteCopied({ settings: { TILLPOST_DATA_DIR } }: Source): Promise<void> {
  if (readBackupState(TILLPOST_DATA_DIR).wal_uncopied !== undefined) await writeBackupState(TILLPOST_DATA_DIR, { wal_uncopied: undefined });
}
