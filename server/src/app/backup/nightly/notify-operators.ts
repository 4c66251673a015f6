import { notice, ownMerchantId } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";

const againMs = 24 * 3_600_000;

/** Notifies the operators that there is no current backup, at most once a day. */
export async function notifyOperators({ ctx, settings }: Pick<Runtime, "ctx" | "settings">, reason: string | null): Promise<void> {
  const { taken, told } = readBackupState(settings.TILLPOST_DATA_DIR);
  const now = ctx.now();
  if (told !== undefined && now.getTime() - Date.parse(told.at) < againMs) return;
  const params = { newest: taken?.at ?? null, reason, folder: settings.BACKUP_DIR };
  await ctx.transact((tx) => notice(tx, ctx, { kind: "backup_missing", recipient: ownMerchantId, params }));
  await writeBackupState(settings.TILLPOST_DATA_DIR, { told: { at: now.toISOString() } });
}
