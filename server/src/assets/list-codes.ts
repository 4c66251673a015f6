import type { AssetRow } from "./sql.ts";

/** Every distinct text of a code that was read in the picture; none for an older picture with several. */
export function listCodes(asset: Pick<AssetRow, "decoded_payload" | "decoded_payloads">): string[] {
  if (asset.decoded_payloads.length > 0) return asset.decoded_payloads;
  return asset.decoded_payload === null ? [] : [asset.decoded_payload];
}
