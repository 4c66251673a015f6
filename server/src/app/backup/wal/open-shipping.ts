import { dropWalStream } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { bucketOf } from "../bucket/bucket-of.ts";
import { shipWal, type WalShipping } from "./ship-wal.ts";
import { countWalKeepers } from "./sql.ts";

type Source = Pick<Runtime, "backupUrl" | "ctx" | "log" | "settings">;

/** Starts shipping the write-ahead log if configured. If it no longer is, the database stops retaining it, now or after another start. */
export async function openShipping(runtime: Source): Promise<WalShipping | null> {
  const { backupUrl } = runtime;
  if (backupUrl === null) return null;
  if (runtime.settings.BACKUP_WAL) return shipWal({ ...runtime, backupUrl }, await bucketOf(runtime.settings));
  const release = async () => {
    if ((await countWalKeepers(runtime.ctx.db)) > 0) await dropWalStream(backupUrl);
  };
  // The server runs already: what can wait mustn't end it.
  await release().catch((error: Error) =>
    runtime.log.warn({ reason: error.message }, "the database still retains write-ahead log for backups; the next start ends that"),
  );
  return null;
}
