import { type EventRow, listEventsOf } from "#events/index.ts";
import { type Ctx, cutPage, type Page, type PageQuery, platformErrors, type Tenant } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import { countMessage } from "./sql.ts";

const maxEvents = 1_000;

/** A page of a message's history, newest first, as the sent envelopes. Throws resource_missing, invalid_cursor. */
export async function listMessageEvents(
  ctx: Ctx,
  tenant: Tenant,
  query: PageQuery & { channel: SendingChannel; id: string },
): Promise<Page<EventRow>> {
  if ((await countMessage(ctx.db, tenant, query)) === 0) throw platformErrors.resource_missing({ param: "id" });
  return cutPage(await listEventsOf(ctx.db, tenant, { object_id: query.id, after: null, limit: maxEvents }), query);
}
