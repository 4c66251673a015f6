import { after, type Ctx, hint, isoOf, known, type Pipe, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import { updateOneNumbered } from "./numbering.sql.ts";
import { deleteEvents, insertEvents } from "./sql.ts";

/** Version of the payload schemas; stored events keep the version they were written with. */
export const apiVersion = "2026-11-01";

/** An event to write: `data` without `project_id`, which the envelope adds. */
export interface NewEvent {
  event: string;
  /** The object whose history this belongs to (an order, a message). */
  object_id: string;
  data: object;
  /** The object's own callback address, checked when it was saved. It gets this event in addition to the project's webhook endpoints. */
  callback_url?: string | null;
}

/** Writes events to the outbox as the exact bytes that will be signed and sent. An event exists if and only if its cause committed. */
export function emit<On extends Tx | Pipe>(tx: On, ctx: Ctx, given: { tenant: Tenant; events: NewEvent[] }): Sent<On, void> {
  const events = given.events.map((event) => ({ ...event, tenant: given.tenant }));
  return after(tx, emitAll(tx, ctx, events), () => {});
}

/** An event that was written, identified by its key. */
export type Emitted = Tenant & { id: string };

/** Like `emit`, for events of several tenants in one statement (group commit). Returns them in the given order. */
export function emitAll<On extends Tx | Pipe>(tx: On, ctx: Ctx, events: (NewEvent & { tenant: Tenant })[]): Sent<On, Emitted[]> {
  if (events.length === 0) return known(tx, []);
  const now = ctx.now();
  const rows = events.map((event) => rowOf(ctx, event, now));
  hint(tx, "events");
  return after(tx, insertEvents(tx, rows, now), () => rows);
}

/**
 * Writes a sample event for one receiver: it has `test: true` and `livemode: false` in both environments, and appears in no list and no
 * stream. It is numbered right away, so that no fan-out sees it.
 */
export async function emitTest(
  tx: Tx,
  ctx: Ctx,
  given: NewEvent & { tenant: Tenant },
): Promise<{ id: string; sequence: number; body: Buffer }> {
  const now = ctx.now();
  const row = rowOf(ctx, { ...given, test: true }, now);
  await insertEvents(tx, [row], now);
  return { id: row.id, sequence: await updateOneNumbered(tx, given.tenant, row.id), body: Buffer.from(row.body) };
}

/** Deletes events whose insert was refused, before commit: no one else can have seen them. */
export async function retractEvents(tx: Tx, events: Emitted[]): Promise<void> {
  if (events.length > 0) await deleteEvents(tx, events);
}

function rowOf(ctx: Ctx, given: NewEvent & { tenant: Tenant; test?: boolean }, now: Date) {
  const id = ctx.id("evt");
  const { project_id, livemode } = given.tenant;
  const mode = given.test === true ? { test: true, livemode: false } : { livemode };
  const envelope = {
    id,
    event: given.event,
    created_at: isoOf(now),
    ...mode,
    api_version: apiVersion,
    data: { ...given.data, project_id },
  };
  return {
    id,
    project_id,
    livemode,
    event: given.event,
    object_id: given.object_id,
    callback_url: given.callback_url ?? null,
    test: given.test === true,
    body: JSON.stringify(envelope),
  };
}
