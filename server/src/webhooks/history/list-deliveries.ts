import type { Ctx, Tenant } from "#platform/index.ts";
import { findEvent } from "../pull/pull-events.ts";
import { type DeliveryRow, listDeliveryRows } from "./deliveries.sql.ts";

export type { DeliveryRow } from "./deliveries.sql.ts";

/** The state of one event's deliveries to webhook endpoints. Throws resource_missing. */
export async function listDeliveries(ctx: Ctx, tenant: Tenant, eventId: string): Promise<DeliveryRow[]> {
  await findEvent(ctx, tenant, eventId);
  return listDeliveryRows(ctx.db, tenant, eventId);
}
