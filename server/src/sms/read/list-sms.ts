import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import type { FoundSms } from "../shapes.ts";
import { completeSms } from "./find-sms.ts";
import { findSmsId, listSmsRows, type SmsFilters } from "./sql.ts";

/** A page of messages, newest first. Throws invalid_cursor for an id that isn't a message of this tenant. */
export async function listSms(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: SmsFilters }): Promise<Page<FoundSms>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listSmsRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findSmsId(ctx.db, tenant, id),
    findsCursor: true,
  });
  return { rows: await completeSms(ctx, tenant, rows), ...page };
}
