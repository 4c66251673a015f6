import { platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { type AssetRow, deleteUse, insertUse, lockAssetShared } from "./sql.ts";

/**
 * Records that `used_by` (an id of the caller's room) uses an asset, and returns it; throws resource_missing. From now on it can't be
 * deleted.
 */
export async function useAsset(tx: Tx, tenant: Tenant, use: { asset_id: string; used_by: string; param?: string }): Promise<AssetRow> {
  const asset = await lockAssetShared(tx, tenant, use.asset_id);
  if (asset === null)
    throw platformErrors.resource_missing({
      param: use.param ?? "asset_id",
      reason: "not_here",
      message: "No such asset in this project and environment.",
    });
  await insertUse(tx, tenant, use);
  return asset;
}

/** Undoes `useAsset`. */
export async function releaseAsset(tx: Tx, tenant: Tenant, use: { asset_id: string; used_by: string }): Promise<void> {
  await deleteUse(tx, tenant, use);
}
