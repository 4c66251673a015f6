import { type Ctx, ownMerchantId, platformErrors } from "#platform/index.ts";
import { findMerchantRow, listMerchantRows, type MerchantOverview } from "./sql.ts";

export interface MerchantQuery {
  limit: number;
  status: string[];
  q: string | null;
  starting_after: string | null;
  ending_before: string | null;
}

/** Every merchant of this installation, newest first, with what an operator needs to decide. Tillpost's own is left out. Throws invalid_cursor. */
export async function listMerchants(ctx: Pick<Ctx, "db">, query: MerchantQuery): Promise<{ rows: MerchantOverview[]; has_more: boolean }> {
  const { status, q, starting_after: before, ending_before: after, limit } = query;
  const cursor = before ?? after;
  if (cursor !== null && (await findMerchantRow(ctx.db, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: before === null ? "ending_before" : "starting_after" });
  }
  const rows = await listMerchantRows(ctx.db, { own: ownMerchantId, id: null, status, q, before, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: after === null ? page : page.reverse(), has_more: rows.length > limit };
}

/** One merchant as operators see it. Throws resource_missing. */
export async function findMerchantOverview(ctx: Pick<Ctx, "db">, id: string): Promise<MerchantOverview> {
  const [row] = await listMerchantRows(ctx.db, { own: ownMerchantId, id, status: [], q: null, before: null, after: null, limit: 1 });
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}
