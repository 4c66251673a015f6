import { type Ctx, ownMerchantId, platformErrors } from "#platform/index.ts";
import { listMerchantRows, type MerchantOverview } from "./sql.ts";

export interface MerchantQuery {
  limit: number;
  status: string[];
  q: string | null;
  starting_after: string | null;
}

/** Every merchant of this installation, newest first, with what an operator needs to decide. Tillpost's own is left out. */
export async function listMerchants(ctx: Pick<Ctx, "db">, query: MerchantQuery): Promise<{ rows: MerchantOverview[]; has_more: boolean }> {
  const { status, q, starting_after: before, limit } = query;
  const rows = await listMerchantRows(ctx.db, { own: ownMerchantId, status, q, before, limit: limit + 1 });
  return { rows: rows.slice(0, limit), has_more: rows.length > limit };
}

/** One merchant as operators see it. Throws resource_missing. */
export async function findMerchantOverview(ctx: Pick<Ctx, "db">, id: string): Promise<MerchantOverview> {
  const rows = await listMerchantRows(ctx.db, { own: ownMerchantId, status: [], q: id, before: null, limit: 2 });
  const row = rows.find((merchant) => merchant.id === id);
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}
