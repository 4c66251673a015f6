import { recordAudit } from "#audit/index.ts";
import { type Ctx, type Page, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import {
  type AllNumbersQuery,
  deleteNumberRow,
  findNumberRow,
  listAllNumberRows,
  listNumberRows,
  type NumberOverview,
  type NumberQuery,
  type NumberRow,
} from "./sql.ts";

/** One number or name. Throws resource_missing. */
export async function findNumber(ctx: Pick<Ctx, "db">, tenant: Tenant, id: string): Promise<NumberRow> {
  const row = await findNumberRow(ctx.db, tenant, id);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** A page of a project's numbers and names, newest first. Throws invalid_cursor. */
export function listNumbers(ctx: Pick<Ctx, "db">, tenant: Tenant, query: NumberQuery): Promise<Page<NumberRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listNumberRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findNumberRow(ctx.db, tenant, id),
  });
}

/** A page of the LIVE numbers of all projects, newest first, for operators. Throws invalid_cursor. */
export function listAllNumbers(ctx: Pick<Ctx, "db">, query: AllNumbersQuery): Promise<Page<NumberOverview>> {
  const { status, q } = query;
  return readPage(ctx.db, query, {
    find: (cut) => listAllNumberRows(ctx.db, { id: null, status, q, cut }),
    place: async (id) => (await listAllNumberRows(ctx.db, { id, status: [], q: null, cut: null }))[0] ?? null,
  });
}

/** One LIVE number of any project. Throws resource_missing. */
export async function findNumberOverview(ctx: Pick<Ctx, "db">, id: string): Promise<NumberOverview> {
  const [row] = await listAllNumberRows(ctx.db, { id, status: [], q: null, cut: null });
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/**
 * Removes a number or withdraws a request: nothing more is accepted from it, and inbound messages to it are dropped. Throws
 * resource_missing.
 */
export function deleteNumber(ctx: Ctx, tenant: Tenant, id: string): Promise<NumberRow> {
  return ctx.transact(async (tx) => {
    const row = await deleteNumberRow(tx, tenant, id);
    if (row === null) throw platformErrors.resource_missing({ param: "id" });
    const detail = { value: row.value, previous_status: row.status };
    await recordAudit(tx, { ctx, tenant, action: "number.deleted", object_type: "number", object_id: id, detail });
    return row;
  });
}
