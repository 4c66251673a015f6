import { notice, ownMerchantId } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { readBackupState, writeBackupState } from "./backup-state.ts";
import { isAhead } from "./is-ahead.ts";

type Source = Pick<Runtime, "ctx" | "log" | "settings">;

const againMs = 24 * 3_600_000;

/** Remembers why there is no current backup, for everything that reports it, and notifies the operators. */
export async function recordFailure({ ctx, log, settings }: Source, failed: { at: string; reason: string }): Promise<void> {
  await writeBackupState(settings.TILLPOST_DATA_DIR, { failed });
  // A database that accepts no writes at the moment is one more reason, and the next attempt reports it.
  await notifyOperators({ ctx, settings }, failed.reason).catch((error: Error) =>
    log.warn({ reason: error.message }, "the operators couldn't be notified"),
  );
}

/** Notifies the operators that there is no current backup, at most once a day. */
async function notifyOperators({ ctx, settings }: Omit<Source, "log">, reason: string): Promise<void> {
  const { taken, told } = readBackupState(settings.TILLPOST_DATA_DIR);
  const now = ctx.now();
  if (told !== undefined && !isAhead(told.at, now) && now.getTime() - Date.parse(told.at) < againMs) return;
  const params = { newest: taken?.at ?? null, reason, folder: settings.BACKUP_DIR };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "backup_missing", recipient: ownMerchantId, params }));
  await writeBackupState(settings.TILLPOST_DATA_DIR, { told: { at: now.toISOString() } });
}
