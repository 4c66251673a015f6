import { type Ctx, deriveKey, equalSecret, findNow, macOf, platformErrors, trustedNumbers } from "#platform/index.ts";
import { type AssetRow, findAssetAnywhere } from "./sql.ts";

const signedSeconds = 900;
const purpose = "asset address";

export interface ServedAsset {
  bytes: Buffer;
  /** Exactly these go out, whatever the picture is. */
  headers: Record<string, string>;
}

/** An address that shows the asset's bytes to whoever holds it, for 15 minutes. */
export function assetUrl(ctx: Ctx, asset: Pick<AssetRow, "id">): string {
  const expires = String(Math.floor(ctx.now().getTime() / 1000) + signedSeconds);
  return `${ctx.publicUrl}/assets/${asset.id}?expires=${expires}&signature=${signatureOf(ctx, { id: asset.id, expires })}`;
}

/** The bytes behind a signed address, with the headers they must be served with. Throws permission_denied before anything is looked up. */
export async function readSignedAsset(ctx: Ctx, given: { id: string; expires: string; signature: string }): Promise<ServedAsset> {
  const intact = trustedNumbers(ctx.masterKeys, purpose).some((number) => equalSecret(given.signature, signatureOf(ctx, given, number)));
  const left = Number(given.expires) - (await findNow(ctx.db)).getTime() / 1000;
  if (!intact || !(left > 0)) throw platformErrors.permission_denied({ message: "This address is not valid, or has expired." });
  const asset = await findAssetAnywhere(ctx.db, given.id);
  const bytes = asset === null ? null : await ctx.files.get(asset.storage_key);
  if (asset === null || bytes === null) throw platformErrors.resource_missing();
  return { bytes, headers: headersOf(asset, Math.floor(left)) };
}

/** The stored bytes of an asset, for a caller that has the right to them; null when the store lost them. */
export function readAsset(ctx: Ctx, asset: Pick<AssetRow, "storage_key">): Promise<Buffer | null> {
  return ctx.files.get(asset.storage_key);
}

function signatureOf(ctx: Ctx, { id, expires }: { id: string; expires: string }, number?: number): string {
  return macOf(deriveKey(ctx.masterKeys, purpose, number), `${id}|${expires}`);
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
