import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { bundlesOf, listRecipients } from "../rows.sql.ts";
import type { EmailBundle } from "../shapes.ts";
import { type Cursor, countEmail, countEmailRows, type EmailFilters, listEmailRows } from "./sql.ts";

export interface EmailList {
  rows: EmailBundle[];
  has_more: boolean;
  total_count: number | null;
}

/** A page of messages, newest first, without their texts. Throws invalid_cursor for an id that is no message of this tenant. */
export async function listEmails(ctx: Ctx, tenant: Tenant, query: Cursor & { filters: EmailFilters; total?: boolean }): Promise<EmailList> {
  const cursor = query.starting_after ?? query.ending_before;
  const [rows, known] = await Promise.all([listEmailRows(ctx.db, tenant, query), cursor === undefined ? 1 : countEmail(ctx.db, tenant, cursor)]);
  if (known === 0) throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  const recipients = await listRecipients(
    ctx.db,
    tenant,
    page.map((email) => email.id),
  );
  const total_count = query.total === true ? await countEmailRows(ctx.db, tenant, query.filters) : null;
  return { rows: bundlesOf(page, recipients), has_more: rows.length > query.limit, total_count };
}
