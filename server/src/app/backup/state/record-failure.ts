import { notice, ownMerchantId } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { readBackupState, writeBackupState } from "./backup-state.ts";
import { isAhead } from "./is-ahead.ts";

type Source = Pick<Runtime, "ctx" | "log" | "settings">;

const againMs = 24 * 3_600_000;
/** What fails every few minutes is one trouble. */
const nextMs = 3_600_000;

/** Why the operators are notified. */
interface Trouble {
  reason: string;
  what: "backup" | "write_ahead_log";
  /** The bucket that the write-ahead log can't be copied to. */
  bucket: string | null;
}

/**
 * Remembers why there is no current backup, for everything that reports it, and notifies the operators. `copying`: one was taken, and only
 * couldn't be copied to the bucket.
 */
export async function recordFailure(
  runtime: Source,
  { at, reason, copying = false }: { at: string; reason: string; copying?: boolean },
): Promise<void> {
  await writeBackupState(runtime.settings.TILLPOST_DATA_DIR, { [copying ? "uncopied" : "failed"]: { at, reason } });
  await notifyOperators(runtime, { reason, what: "backup", bucket: null });
}

/** Notifies the operators, at most once a day for one trouble and once an hour for several, that backups need them. */
export async function notifyOperators(runtime: Source, trouble: Trouble): Promise<void> {
  // A database that accepts no writes at the moment is one more reason, and the next attempt reports it.
  await notify(runtime, trouble).catch((error: Error) => runtime.log.warn({ reason: error.message }, "the operators couldn't be notified"));
}

async function notify({ ctx, settings }: Source, trouble: Trouble): Promise<void> {
  const { taken, told } = readBackupState(settings.TILLPOST_DATA_DIR);
  const now = ctx.now();
  if (told !== undefined && !isAhead(told.at, now) && now.getTime() - Date.parse(told.at) < (told.over === true ? nextMs : againMs)) return;
  const params = { newest: taken?.at ?? null, folder: settings.BACKUP_DIR, ...trouble };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "backup_missing", recipient: ownMerchantId, params }));
  await writeBackupState(settings.TILLPOST_DATA_DIR, { told: { at: now.toISOString() } });
}
