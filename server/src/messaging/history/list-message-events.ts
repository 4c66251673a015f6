import { type EventRow, findEventOf, listEventRows } from "#events/index.ts";
import { type Ctx, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import { countMessage } from "./sql.ts";

/** A page of a message's history, newest first, as the sent envelopes. Throws resource_missing, invalid_cursor. */
export async function listMessageEvents(
  ctx: Ctx,
  tenant: Tenant,
  query: PageQuery & { channel: SendingChannel; id: string },
): Promise<Page<EventRow>> {
  if ((await countMessage(ctx.db, tenant, query)) === 0) throw platformErrors.resource_missing({ param: "id" });
  const object_id = query.id;
  return readPage(ctx.db, query, {
    find: (cut) => listEventRows(ctx.db, tenant, { object_id, cut }),
    place: (id) => findEventOf(ctx.db, tenant, { object_id, id }),
  });
}
