import type { Db } from "#platform/index.ts";
import { type AssetRow, listAssetsAlike } from "./sql.ts";

const lookBackMs = 90 * 86_400_000;
const bitsMax = 4;

/** Other pictures of the same purpose in the project and environment that are this file, or look like it within the last 90 days, newest first, at most 20. */
export function findDuplicates(db: Db, asset: AssetRow): Promise<AssetRow[]> {
  return listAssetsAlike(db, asset, { since: new Date(asset.created_at.getTime() - lookBackMs), bits: bitsMax, limit: 20 });
}
