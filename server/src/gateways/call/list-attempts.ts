import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import { presentCredential } from "../rows/show-credential.ts";
import { findCredentialRow } from "../rows/sql.ts";
import { type AttemptFilters, type AttemptRow, findAttemptRow, listAttemptRows } from "./attempts.sql.ts";

export interface AttemptQuery extends AttemptFilters, PageQuery {
  gateway: string;
}

/** A page of the calls on an account, newest first. Throws resource_missing and invalid_cursor. */
export async function listAttempts(ctx: Ctx, tenant: Tenant, query: AttemptQuery): Promise<Page<AttemptRow>> {
  const { credential_id } = query;
  presentCredential(await findCredentialRow(ctx.db, tenant, credential_id), query.gateway);
  return readPage(ctx.db, query, {
    find: (cut) => listAttemptRows(ctx.db, tenant, { ...query, cut }),
    place: (id) => findAttemptRow(ctx.db, tenant, { credential_id, id }),
  });
}
