import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findProofPlace, listWaitingProofRows, type WaitingProofRow } from "./waiting.sql.ts";

/** The proofs of all merchants that nobody has decided on yet, the oldest first. Throws invalid_cursor. */
export async function listWaitingProofs(
  ctx: Pick<Ctx, "db">,
  query: { limit: number; starting_after?: string; ending_before?: string },
): Promise<{ rows: WaitingProofRow[]; has_more: boolean }> {
  const { limit, starting_after: after = null, ending_before: before = null } = query;
  const cursor = after ?? before;
  if (cursor !== null && (await findProofPlace(ctx.db, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: after === null ? "ending_before" : "starting_after" });
  }
  const rows = await listWaitingProofRows(ctx.db, { after, before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: before === null ? page : page.reverse(), has_more: rows.length > limit };
}

/** Whose proof this is, and of which order. Throws resource_missing. */
export async function findProofOwner(ctx: Pick<Ctx, "db">, id: string): Promise<{ tenant: Tenant; order_id: string }> {
  const place = await findProofPlace(ctx.db, id);
  if (place === null) throw platformErrors.resource_missing({ param: "id" });
  return { tenant: { project_id: place.project_id, livemode: place.livemode }, order_id: place.order_id };
}
