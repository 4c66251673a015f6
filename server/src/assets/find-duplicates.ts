import type { Db } from "#platform/index.ts";
import { type AssetRow, findLooks, listAssetsAlike } from "./sql.ts";

const lookBackMs = 90 * 86_400_000;
const sieveBits = 12;
const sieveMax = 100;
/** Scaled and re-saved copies differed by at most 5 of 255 shades, two receipts of the same app and amount by at least 23. */
const shadesMax = 10;

/**
 * Other images of the same purpose in the project and environment that are the same file, or the same image re-saved in another size or
 * format within the last 90 days, newest first. Doesn't confuse receipts of the same app and layout.
 */
export async function findDuplicates(db: Db, asset: AssetRow): Promise<AssetRow[]> {
  const own = await findLooks(db, asset);
  const alike = await listAssetsAlike(db, asset, {
    since: new Date(asset.created_at.getTime() - lookBackMs),
    bits: sieveBits,
    limit: sieveMax,
  });
  const same = alike.filter(
    (other) => other.original_sha256 === asset.original_sha256 || (own !== null && isSamePicture(own, other.shades)),
  );
  return same.map(({ shades: _looks, ...other }) => other);
}

function isSamePicture(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((shade, index) => Math.abs(shade - (right[index] ?? 0)) <= shadesMax);
}
