import { type Ctx, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { findProofPlace, listWaitingProofRows, type WaitingProofRow } from "./waiting.sql.ts";

/** The undecided proofs of all merchants, the oldest first. Throws invalid_cursor. */
export function listWaitingProofs(ctx: Pick<Ctx, "db">, query: PageQuery): Promise<Page<WaitingProofRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listWaitingProofRows(ctx.db, cut),
    place: (id) => findProofPlace(ctx.db, id),
  });
}

/** The tenant and order of a proof. Throws resource_missing. */
export async function findProofOwner(ctx: Pick<Ctx, "db">, id: string): Promise<{ tenant: Tenant; order_id: string }> {
  const place = await findProofPlace(ctx.db, id);
  if (place === null) throw platformErrors.resource_missing({ param: "id" });
  return { tenant: { project_id: place.project_id, livemode: place.livemode }, order_id: place.order_id };
}
