import type { Db } from "#platform/index.ts";
import { findMerchantRow, type MerchantRow } from "./sql.ts";

/** A merchant by its id, or null. */
export function findMerchant(db: Db, merchantId: string): Promise<MerchantRow | null> {
  return findMerchantRow(db, merchantId);
}
