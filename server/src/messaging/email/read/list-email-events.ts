import { type EventRow, listEventsOf } from "#events/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { countEmail } from "./sql.ts";

const mostEvents = 1_000;

/** A page of a message's history, newest first, as the envelopes that were sent. Throws resource_missing, invalid_cursor. */
export async function listEmailEvents(
  ctx: Ctx,
  tenant: Tenant,
  query: { id: string; starting_after?: string; ending_before?: string; limit: number },
): Promise<{ rows: EventRow[]; has_more: boolean }> {
  if ((await countEmail(ctx.db, tenant, query.id)) === 0) throw platformErrors.resource_missing({ param: "id" });
  const all = await listEventsOf(ctx.db, tenant, { object_id: query.id, after: null, limit: mostEvents });
  const placeOf = (id: string, param: string) => {
    const place = all.findIndex((row) => row.id === id);
    if (place === -1) throw platformErrors.invalid_cursor({ param });
    return place;
  };
  const end = query.ending_before === undefined ? null : placeOf(query.ending_before, "ending_before");
  const start = query.starting_after === undefined ? 0 : placeOf(query.starting_after, "starting_after") + 1;
  const from = end === null ? start : Math.max(0, end - query.limit);
  const to = end ?? start + query.limit;
  return { rows: all.slice(from, to), has_more: end === null ? all.length > to : from > 0 };
}
