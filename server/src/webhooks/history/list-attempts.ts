import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findEndpoint } from "../endpoint/find-endpoint.ts";
import { checkEvents } from "../event-names.ts";
import { type AttemptPage, type AttemptRow, findAttemptRow, listAttemptRows } from "./attempts.sql.ts";

/** A page of an endpoint's attempts, newest first. Throws resource_missing, endpoint_removed, invalid_cursor, and parameter_invalid for unknown events. */
export async function listAttempts(ctx: Ctx, tenant: Tenant, page: AttemptPage): Promise<{ rows: AttemptRow[]; has_more: boolean }> {
  await findEndpoint(ctx, tenant, page.endpoint_id);
  const cursor = page.starting_after ?? page.ending_before;
  if (cursor !== undefined && (await findAttemptRow(ctx.db, tenant, { endpoint_id: page.endpoint_id, id: cursor })) === null) {
    throw platformErrors.invalid_cursor({ param: page.starting_after === undefined ? "ending_before" : "starting_after" });
  }
  const event = page.event == null ? null : checkEvents(page.event, "event");
  const rows = await listAttemptRows(ctx.db, tenant, { ...page, event });
  const shown = rows.slice(0, page.limit);
  if (page.ending_before !== undefined) shown.reverse();
  return { rows: shown, has_more: rows.length > page.limit };
}

/** One attempt of an endpoint. Throws resource_missing. */
export async function findAttempt(ctx: Ctx, tenant: Tenant, key: { endpoint_id: string; id: string }): Promise<AttemptRow> {
  await findEndpoint(ctx, tenant, key.endpoint_id);
  const row = await findAttemptRow(ctx.db, tenant, key);
  if (row === null) throw platformErrors.resource_missing({ param: "attemptId" });
  return row;
}
