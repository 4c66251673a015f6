import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import { presentCredential } from "../rows/show-credential.ts";
import { findCredentialRow } from "../rows/sql.ts";
import { findStrayId, listStrayRows, type StrayRow } from "./strays.sql.ts";

interface StrayQuery extends PageQuery {
  reason: readonly string[] | null;
}

/** A page of an account's refused callbacks, newest first. Throws resource_missing and invalid_cursor. */
export async function listStraysOf(
  ctx: Ctx,
  tenant: Tenant,
  query: StrayQuery & { gateway: string; credential_id: string },
): Promise<Page<StrayRow>> {
  presentCredential(await findCredentialRow(ctx.db, tenant, query.credential_id), query.gateway);
  return listStrays(ctx, query);
}

/** The same for all accounts, and for callbacks without one: for operators. */
export function listStrays(ctx: Ctx, query: StrayQuery & { credential_id?: string }): Promise<Page<StrayRow>> {
  const { credential_id = null, reason } = query;
  return readPage(ctx.db, query, {
    find: (cut) => listStrayRows(ctx.db, { credential_id, reason, cut }),
    place: (id) => findStrayId(ctx.db, { credential_id, id }),
  });
}
