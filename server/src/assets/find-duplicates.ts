import type { Db } from "#platform/index.ts";
import { type AssetRow, findLooks, listAssetsAlike } from "./sql.ts";

const lookBackMs = 90 * 86_400_000;
const sieveBits = 12;
const sieveMax = 100;
/** Scaled and re-saved copies differed by 5 of 255 shades at most, two receipts of one app and amount by 23 at least. */
const shadesMax = 10;

/**
 * Other images of the same purpose in the project and environment that are this very file, or this image re-saved in another size or format
 * within the last 90 days, newest first. Receipts of the same app and layout are not mistaken for each other.
 */
export async function findDuplicates(db: Db, asset: AssetRow): Promise<AssetRow[]> {
  const own = await findLooks(db, asset);
  const alike = await listAssetsAlike(db, asset, { since: new Date(asset.created_at.getTime() - lookBackMs), bits: sieveBits, limit: sieveMax });
  const same = alike.filter((other) => other.original_sha256 === asset.original_sha256 || (own !== null && isSamePicture(own, other.shades)));
  return same.map(({ shades: _looks, ...other }) => other);
}

function isSamePicture(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((shade, index) => Math.abs(shade - (right[index] ?? 0)) <= shadesMax);
}
