import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findProofPlace, listWaitingProofRows, type WaitingProofRow } from "./waiting.sql.ts";

/** The proofs of all merchants that nobody has decided on yet, the oldest first. */
export async function listWaitingProofs(
  ctx: Pick<Ctx, "db">,
  query: { limit: number; starting_after?: string },
): Promise<{ rows: WaitingProofRow[]; has_more: boolean }> {
  const rows = await listWaitingProofRows(ctx.db, { after: query.starting_after ?? null, limit: query.limit + 1 });
  return { rows: rows.slice(0, query.limit), has_more: rows.length > query.limit };
}

/** Whose proof this is, and of which order. Throws resource_missing. */
export async function findProofOwner(ctx: Pick<Ctx, "db">, id: string): Promise<{ tenant: Tenant; order_id: string }> {
  const place = await findProofPlace(ctx.db, id);
  if (place === null) throw platformErrors.resource_missing({ param: "id" });
  return { tenant: { project_id: place.project_id, livemode: place.livemode }, order_id: place.order_id };
}
