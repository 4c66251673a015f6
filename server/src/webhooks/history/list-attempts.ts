import { type Ctx, type Page, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { findEndpoint } from "../endpoint/find-endpoint.ts";
import { checkEvents } from "../event-names.ts";
import { type AttemptQuery, type AttemptRow, findAttemptRow, listAttemptRows } from "./attempts.sql.ts";

/**
 * A page of an endpoint's attempts, newest first. Throws resource_missing, endpoint_removed, invalid_cursor, and parameter_invalid for
 * unknown events.
 */
export async function listAttempts(ctx: Ctx, tenant: Tenant, query: AttemptQuery): Promise<Page<AttemptRow>> {
  const { endpoint_id } = query;
  await findEndpoint(ctx, tenant, endpoint_id);
  const filters = { ...query, event: query.event == null ? null : checkEvents(query.event, "event") };
  return readPage(ctx.db, query, {
    find: (cut) => listAttemptRows(ctx.db, tenant, { ...filters, cut }),
    place: (id) => findAttemptRow(ctx.db, tenant, { endpoint_id, id }),
  });
}

/** One attempt of an endpoint. Throws resource_missing. */
export async function findAttempt(ctx: Ctx, tenant: Tenant, key: { endpoint_id: string; id: string }): Promise<AttemptRow> {
  await findEndpoint(ctx, tenant, key.endpoint_id);
  const row = await findAttemptRow(ctx.db, tenant, key);
  if (row === null) throw platformErrors.resource_missing({ param: "attemptId" });
  return row;
}
