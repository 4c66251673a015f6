import { recordAudit } from "#audit/index.ts";
import { type Ctx, type Page, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { clearSenderCache } from "./find-sender.ts";
import { type DomainQuery, type DomainRow, deleteDomainRow, findDomainRow, listDomainRows } from "./sql.ts";

/** One domain with its records. Throws resource_missing. */
export async function findDomain(ctx: Ctx, tenant: Tenant, id: string): Promise<DomainRow> {
  const row = await findDomainRow(ctx.db, tenant, id);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** A page of domains, newest first. Throws invalid_cursor for an id that is no domain of this tenant. */
export function listDomains(ctx: Ctx, tenant: Tenant, query: DomainQuery): Promise<Page<DomainRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listDomainRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findDomainRow(ctx.db, tenant, id),
  });
}

/** Deletes a domain and its key: email from it is refused from now on. Throws resource_missing. */
export async function deleteDomain(ctx: Ctx, tenant: Tenant, id: string): Promise<DomainRow> {
  const gone = await ctx.transact(async (tx) => {
    const row = await deleteDomainRow(tx, tenant, id);
    if (row === null) throw platformErrors.resource_missing({ param: "id" });
    await recordAudit(tx, { ctx, tenant, action: "domain.deleted", object_type: "domain", object_id: id, detail: { name: row.name } });
    return row;
  });
  clearSenderCache(ctx);
  return gone;
}
