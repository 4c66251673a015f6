import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import { bundlesOf, listRecipients } from "../rows.sql.ts";
import type { EmailBundle } from "../shapes.ts";
import { type EmailFilters, findEmailId, listEmailRows } from "./sql.ts";

/** A page of messages, newest first, without their texts. Throws invalid_cursor for an id that isn't a message of this tenant. */
export async function listEmails(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: EmailFilters }): Promise<Page<EmailBundle>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listEmailRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findEmailId(ctx.db, tenant, id),
    findsCursor: true,
  });
  const ids = rows.map((email) => email.id);
  return { rows: bundlesOf(rows, await listRecipients(ctx.db, tenant, ids)), ...page };
}
