import type { Ctx, Tenant } from "#platform/index.ts";
import { type CallbackRow, listCallbackRows } from "./sql.ts";

export type { CallbackRow } from "./sql.ts";

/** What came of the callbacks of some events, newest event first; an event without one has no row, nor has one that is not fanned out yet. */
export function listCallbacks(ctx: Ctx, tenant: Tenant, eventIds: string[]): Promise<CallbackRow[]> {
  return eventIds.length === 0 ? Promise.resolve([]) : listCallbackRows(ctx.db, tenant, eventIds);
}
