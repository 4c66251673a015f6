import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { ReceiptRow } from "./receipt-row.ts";
import { findReceipt, listReceiptRows, type ReceiptQuery } from "./sql.ts";

/** A page of receipts, newest first. Throws invalid_cursor for an id that is no receipt of this tenant. */
export async function listReceipts(ctx: Ctx, tenant: Tenant, query: ReceiptQuery): Promise<{ rows: ReceiptRow[]; has_more: boolean }> {
  const cursor = query.starting_after ?? query.ending_before;
  if (cursor !== undefined && (await findReceipt(ctx.db, tenant, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  }
  const rows = await listReceiptRows(ctx.db, tenant, query);
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  return { rows: page, has_more: rows.length > query.limit };
}
