import { auditIfPerson } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { assetErrors } from "./errors.ts";
import { countUses, deleteAssetRow, deleteUnownedFile, insertUnownedFile, lockAsset } from "./sql.ts";

/** Deletes an asset that isn't in use, with its bytes. Throws resource_missing, asset_in_use. */
export async function deleteAsset(
  ctx: Ctx,
  tenant: Tenant,
  input: { id: string },
): Promise<{ id: string; object: "asset"; deleted: true }> {
  const { id } = input;
  const storageKey = await ctx.transact(async (tx) => {
    const asset = await lockAsset(tx, tenant, id);
    if (asset === null) throw platformErrors.resource_missing({ param: "id" });
    if ((await countUses(tx, tenant, id)) > 0) throw assetErrors.asset_in_use({ param: "id" });
    await deleteAssetRow(tx, tenant, id);
    await insertUnownedFile(tx, asset.storage_key, 0);
    await auditIfPerson(tx, {
      ctx,
      tenant,
      action: "asset.deleted",
      object_type: "asset",
      object_id: id,
      detail: { purpose: asset.purpose },
    });
    return asset.storage_key;
  });
  await ctx.files.remove(storageKey);
  await deleteUnownedFile(ctx.db, storageKey);
  return { id, object: "asset", deleted: true };
}
