import { forgetWalStream } from "#platform/index.ts";
import type { House } from "../../house/index.ts";
import { bucketOf } from "../bucket/bucket-of.ts";
import { shipWal, type WalShipping } from "./ship-wal.ts";
import { countWalKeepers } from "./sql.ts";

/** Begins to ship the write-ahead log where that is wanted. Where it no longer is, the database stops keeping it back. */
export async function openShipping(house: House): Promise<WalShipping | null> {
  const { backupUrl } = house;
  if (backupUrl === null) return null;
  if (house.settings.BACKUP_WAL) return shipWal({ ...house, backupUrl }, await bucketOf(house.settings));
  if ((await countWalKeepers(house.ctx.db)) > 0) await forgetWalStream(backupUrl);
  return null;
}
