import { type Ctx, type Page, readPage, type Tenant } from "#platform/index.ts";
import type { ReceiptRow } from "./receipt-row.ts";
import { findReceipt, listReceiptRows, type ReceiptQuery } from "./sql.ts";

/** A page of receipts, newest first. Throws invalid_cursor for an id that isn't a receipt of this tenant. */
export function listReceipts(ctx: Ctx, tenant: Tenant, query: ReceiptQuery): Promise<Page<ReceiptRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listReceiptRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findReceipt(ctx.db, tenant, id),
  });
}
