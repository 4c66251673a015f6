import { type Ctx, platformErrors, requireSigned, signedQuery } from "#platform/index.ts";
import { type AssetRow, findAssetAnywhere } from "./sql.ts";

const purpose = "asset address";

export interface ServedAsset {
  bytes: Buffer;
  /** Exactly these are sent, whatever the picture is. */
  headers: Record<string, string>;
}

/** An address that shows the asset's bytes to anyone who has it, for 15 minutes. */
export function assetUrl(ctx: Ctx, asset: Pick<AssetRow, "id">): string {
  return `${ctx.publicUrl}/assets/${asset.id}?${signedQuery(ctx, { purpose, id: asset.id })}`;
}

interface Signed {
  id: string;
  expires: string;
  signature: string;
  /** Waits until this many bytes of the project may be read. */
  room(load: { project_id: string; bytes: number }): Promise<void>;
}

/** The bytes behind a signed address, with the headers they must be served with. Throws permission_denied before any lookup. */
export async function readSignedAsset(ctx: Ctx, { room, ...given }: Signed): Promise<ServedAsset> {
  const left = await requireSigned(ctx, { purpose, ...given });
  const asset = await findAssetAnywhere(ctx.db, given.id);
  if (asset !== null) await room({ project_id: asset.project_id, bytes: asset.size_bytes });
  const bytes = asset === null ? null : await ctx.files.get(asset.storage_key);
  if (asset === null || bytes === null) throw platformErrors.resource_missing();
  return { bytes, headers: headersOf(asset, left) };
}

/** The stored bytes of an asset, for a caller with access to it; null if the store lost them. */
export function readAsset(ctx: Ctx, asset: Pick<AssetRow, "storage_key">): Promise<Buffer | null> {
  return ctx.files.get(asset.storage_key);
}

function headersOf(asset: AssetRow, seconds: number): Record<string, string> {
  const extension = asset.content_type === "image/png" ? "png" : "jpg";
  const disposition = asset.purpose === "payment_proof" ? "attachment" : "inline";
  return {
    "content-type": asset.content_type,
    "content-length": String(asset.size_bytes),
    "content-disposition": `${disposition}; filename="${asset.id}.${extension}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-site",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": `private, max-age=${seconds}`,
  };
}
