import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { type AssetPurpose, type AssetRow, findAsset } from "./sql.ts";

interface Required {
  asset_id: string;
  purpose: AssetPurpose;
}

/** The asset that `asset_id` names. Throws parameter_invalid if it doesn't exist here, or was uploaded with another purpose. */
export async function requireAsset(db: Ctx["db"], tenant: Tenant, { asset_id, purpose }: Required): Promise<AssetRow> {
  const asset = await findAsset(db, tenant, asset_id);
  if (asset === null)
    throw platformErrors.parameter_invalid({
      param: "asset_id",
      reason: "not_here",
      message: "No such asset in this project and environment.",
    });
  requirePurpose(asset, { param: "asset_id", purpose });
  return asset;
}

/** Throws parameter_invalid for an asset that was uploaded with another purpose. */
export function requirePurpose(asset: AssetRow, { param, purpose }: { param: string; purpose: AssetPurpose }): void {
  if (asset.purpose !== purpose)
    throw platformErrors.parameter_invalid({ param, reason: "wrong_asset", message: `The asset wasn't uploaded as ${purpose}.` });
}
