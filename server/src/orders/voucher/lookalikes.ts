import { type AssetRow, findAsset, findDuplicates } from "#assets/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { type Lookalike, listLookalikes, lockLookalikes, updateRiskFlags } from "../rows/vouchers.sql.ts";
import type { VoucherRow } from "../shapes.ts";

interface Shown {
  orderId: string;
  asset: AssetRow | null;
  referenceKey: string | null;
}

/**
 * What a proof shares with other orders' proofs, as risk flags, which those that wait get too. Throws review_exists when it was approved
 * for another order.
 */
export async function flagLookalikes(tx: Tx, given: { tenant: Tenant; shown: Shown }): Promise<string[]> {
  const { tenant, shown } = given;
  const others = await listLookalikes(tx, tenant, await wantedOf(tx, shown));
  refuseApproved(others, shown.referenceKey);
  const flags = new Set<string>();
  for (const other of others) {
    const own = other.same_reference ? ["duplicate_reference"] : ["duplicate_image"];
    if (other.same_file) own.push("duplicate_image");
    for (const flag of new Set(own)) {
      flags.add(flag);
      await updateRiskFlags(tx, tenant, { ids: [other.id], flag });
    }
  }
  return [...flags];
}

/** Throws review_exists if a proof was approved for another order since it was sent. */
export async function refuseUsedProof(tx: Tx, voucher: VoucherRow): Promise<void> {
  const asset = voucher.asset_id === null ? null : await findAsset(tx, voucher, voucher.asset_id);
  const shown = { orderId: voucher.order_id, asset, referenceKey: voucher.reference_key };
  refuseApproved(await lockLookalikes(tx, voucher, await wantedOf(tx, shown)), shown.referenceKey);
}

async function wantedOf(tx: Tx, { orderId, asset, referenceKey }: Shown) {
  const assetIds = asset === null ? [] : (await findDuplicates(tx, asset)).map((other) => other.id);
  return { orderId, sha256: asset?.original_sha256 ?? null, assetIds, referenceKey };
}

function refuseApproved(others: readonly Lookalike[], referenceKey: string | null): void {
  if (others.some((other) => other.status === "approved" && (other.same_file || (other.same_reference && !isTail(referenceKey)))))
    throw orderErrors.review_exists({ message: "This proof was approved for another order." });
}

/** Honest transfers soon share the last digits of a number: they are a hint for the reviewer, not an identity. */
function isTail(reference: string | null): boolean {
  return reference !== null && /^\d{4,6}$/.test(reference);
}
