import { type Ctx, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { checkEvents } from "../event-names.ts";
import { findNewestNumber, findPulled, listPulled, type PulledEvent, type PullFilters } from "./sql.ts";

export interface PullQuery extends PageQuery {
  /** Names, families and `*`; empty for all. */
  event: string[];
  delivery: PullFilters["delivery"];
  tests?: boolean;
  created: PullFilters["created"];
}

/**
 * A page of the last 30 days' events, newest first, in the order in which they became visible. Throws invalid_cursor, and parameter_invalid
 * for unknown events.
 */
export async function pullEvents(ctx: Ctx, tenant: Tenant, query: PullQuery): Promise<Page<PulledEvent>> {
  const filters = {
    event: query.event.length === 0 ? null : checkEvents(query.event, "event"),
    delivery: query.delivery,
    tests: query.tests === true,
    created: query.created,
  };
  return readPage(ctx.db, query, {
    find: (cut) => listPulled(ctx.db, tenant, { ...filters, cut }),
    place: (id) => findNumber(ctx, tenant, id),
  });
}

/** One event of the last 30 days. Throws resource_missing. */
export async function findEvent(ctx: Ctx, tenant: Tenant, id: string): Promise<PulledEvent> {
  const row = await findPulled(ctx.db, tenant, id);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** Where a stream starts: after the given event, or now. Throws invalid_cursor. */
export async function streamStart(ctx: Ctx, tenant: Tenant, lastId: string | undefined): Promise<number> {
  if (lastId === undefined) return findNewestNumber(ctx.db, tenant);
  const place = await findNumber(ctx, tenant, lastId);
  if (place === null) throw platformErrors.invalid_cursor({ param: "Last-Event-ID" });
  return place;
}

/** The next events of a stream, oldest first; of every name, so that the stream also moves past those it filters out. */
export async function followEvents(ctx: Pick<Ctx, "db">, tenant: Tenant, after: number): Promise<PulledEvent[]> {
  const anytime = { gte: null, gt: null, lte: null, lt: null };
  return listPulled(ctx.db, tenant, {
    ...{ event: null, delivery: null, tests: true, created: anytime },
    cut: { starting_after: after, limit: 99, ascending: true },
  });
}

async function findNumber(ctx: Ctx, tenant: Tenant, id: string): Promise<number | null> {
  return (await findPulled(ctx.db, tenant, id))?.sequence ?? null;
}
