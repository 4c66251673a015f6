import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { checkEvents } from "../event-names.ts";
import { findNewestNumber, findPulled, listPulled, type PulledEvent, type PullPage } from "./sql.ts";

const keptMs = 30 * 86_400_000;

export interface PullQuery {
  limit: number;
  starting_after?: string;
  ending_before?: string;
  /** Names, families and `*`; empty for all. */
  event: string[];
  delivery: PullPage["delivery"];
  tests?: boolean;
  created: PullPage["created"];
}

/** A page of the last 30 days' events, newest first, in the order in which they became visible. Throws invalid_cursor, and parameter_invalid for unknown events. */
export async function pullEvents(ctx: Ctx, tenant: Tenant, query: PullQuery): Promise<{ rows: PulledEvent[]; has_more: boolean }> {
  const rows = await listPulled(ctx.db, tenant, {
    limit: query.limit,
    below: await numberOf(ctx, tenant, { id: query.starting_after, param: "starting_after" }),
    above: await numberOf(ctx, tenant, { id: query.ending_before, param: "ending_before" }),
    event: query.event.length === 0 ? null : checkEvents(query.event, "event"),
    delivery: query.delivery,
    tests: query.tests === true,
    created: query.created,
    since: sinceOf(ctx),
  });
  const shown = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) shown.reverse();
  return { rows: shown, has_more: rows.length > query.limit };
}

/** One event of the last 30 days. Throws resource_missing. */
export async function findEvent(ctx: Ctx, tenant: Tenant, id: string): Promise<PulledEvent> {
  const row = await findPulled(ctx.db, tenant, { id, since: sinceOf(ctx) });
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** Where a stream begins: after the named event, or now. Throws invalid_cursor. */
export async function streamStart(ctx: Ctx, tenant: Tenant, lastId: string | undefined): Promise<number> {
  return (await numberOf(ctx, tenant, { id: lastId, param: "Last-Event-ID" })) ?? findNewestNumber(ctx.db, tenant);
}

/** The next events of a stream, oldest first; of every name, so that a stream moves on past those it does not want. */
export function followEvents(ctx: Pick<Ctx, "db" | "now">, tenant: Tenant, after: number): Promise<PulledEvent[]> {
  const anytime = { gte: null, gt: null, lte: null, lt: null };
  return listPulled(ctx.db, tenant, { limit: 99, below: null, above: after, event: null, delivery: null, tests: true, created: anytime, since: sinceOf(ctx) });
}

async function numberOf(ctx: Ctx, tenant: Tenant, cursor: { id: string | undefined; param: string }): Promise<number | null> {
  if (cursor.id === undefined) return null;
  const row = await findPulled(ctx.db, tenant, { id: cursor.id, since: sinceOf(ctx) });
  if (row === null) throw platformErrors.invalid_cursor({ param: cursor.param });
  return row.sequence;
}

function sinceOf(ctx: Pick<Ctx, "now">): Date {
  return new Date(ctx.now().getTime() - keptMs);
}
