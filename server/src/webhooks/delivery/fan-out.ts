import { numberEvents } from "#events/index.ts";
import { type Ctx, hint, updatePlanning } from "#platform/index.ts";
import { oweCallbacks } from "../callback/owe-callbacks.ts";
import { insertDeliveries } from "./fan-out.sql.ts";

/**
 * Numbers waiting events and creates their deliveries in one transaction; returns the number of events. Only one process does this at a
 * time.
 */
export async function fanOut(ctx: Ctx, limit = 500): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const events = await numberEvents(tx, limit);
    if (events.length === 0) return 0;
    const owed = (await insertDeliveries(tx, events)) + (await oweCallbacks(tx, ctx, events));
    if (owed > 0) hint(tx, "deliveries");
    hint(tx, "numbered");
    return events.length;
  });
}
