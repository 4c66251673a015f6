import { dropWalStream } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { bucketOf } from "../bucket/bucket-of.ts";
import { shipWal, type WalShipping } from "./ship-wal.ts";
import { countWalKeepers } from "./sql.ts";

/** Starts shipping the write-ahead log if configured. If it no longer is, the database stops retaining it. */
export async function openShipping(runtime: Runtime): Promise<WalShipping | null> {
  const { backupUrl } = runtime;
  if (backupUrl === null) return null;
  if (runtime.settings.BACKUP_WAL) return shipWal({ ...runtime, backupUrl }, await bucketOf(runtime.settings));
  if ((await countWalKeepers(runtime.ctx.db)) > 0) await dropWalStream(backupUrl);
  return null;
}
