import { type Ctx, ownMerchantId, type Page, type PageQuery, platformErrors, readPage } from "#platform/index.ts";
import { findMerchantRow, listMerchantRows, type MerchantOverview } from "./sql.ts";

export interface MerchantQuery extends PageQuery {
  status: string[];
  q: string | null;
}

/**
 * Every merchant of this installation, newest first, with what an operator needs to decide. Tillpost's own is left out. Throws
 * invalid_cursor.
 */
export function listMerchants(ctx: Pick<Ctx, "db">, query: MerchantQuery): Promise<Page<MerchantOverview>> {
  const { status, q } = query;
  return readPage(ctx.db, query, {
    find: (cut) => listMerchantRows(ctx.db, { own: ownMerchantId, id: null, status, q, cut }),
    place: (id) => findMerchantRow(ctx.db, id),
  });
}

/** One merchant as operators see it. Throws resource_missing. */
export async function findMerchantOverview(ctx: Pick<Ctx, "db">, id: string): Promise<MerchantOverview> {
  const [row] = await listMerchantRows(ctx.db, { own: ownMerchantId, id, status: [], q: null, cut: null });
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}
