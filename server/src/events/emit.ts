import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { insertEvents } from "./sql.ts";

/** Version of the payload shapes; a project's stored events keep the one they were written with. */
export const apiVersion = "2026-11-01";

/** One event to come: `data` without `project_id`, which the envelope adds. */
export interface NewEvent {
  event: string;
  /** The object whose history this belongs to (an order, a message). */
  object_id: string;
  data: object;
}

/** Writes events to the outbox as the exact bytes that will be signed and sent. An event exists if and only if its cause committed. */
export async function emit(tx: Tx, ctx: Ctx, given: { tenant: Tenant; events: NewEvent[] }): Promise<void> {
  await emitAll(
    tx,
    ctx,
    given.events.map((event) => ({ ...event, tenant: given.tenant })),
  );
}

/** As `emit`, for events of several tenants in one statement (group commit). */
export async function emitAll(tx: Tx, ctx: Ctx, events: (NewEvent & { tenant: Tenant })[]): Promise<void> {
  if (events.length === 0) return;
  const now = ctx.now();
  await insertEvents(
    tx,
    events.map((event) => rowOf(ctx, event, now)),
    now,
  );
}

function rowOf(ctx: Ctx, given: NewEvent & { tenant: Tenant }, now: Date) {
  const id = ctx.id("evt");
  const { project_id, livemode } = given.tenant;
  const envelope = { id, event: given.event, created_at: now, livemode, api_version: apiVersion, data: { ...given.data, project_id } };
  return { id, project_id, livemode, event: given.event, object_id: given.object_id, body: JSON.stringify(envelope) };
}
