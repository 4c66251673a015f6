import type { Tx } from "#platform/index.ts";
import { listTwinRows, type ReceiptRow } from "./sql.ts";

/** A phone's notification and the wallet's own record of one transfer lie this close together. */
const windowMs = 5 * 60_000;

/**
 * Receipts of other sources that may show the same transfer as this one, held until commit. One that already has its twin of this
 * source is not among them, so that two transfers of one amount are not both taken for one earlier receipt: pass `twin_id` to `updateReceipt`.
 */
export function listTwins(tx: Tx, receipt: ReceiptRow): Promise<ReceiptRow[]> {
  const at = receipt.occurred_at.getTime();
  return listTwinRows(tx, receipt, { from: new Date(at - windowMs), to: new Date(at + windowMs) });
}
