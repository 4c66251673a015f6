import { type NumberedEvent, numberEvents } from "#events/index.ts";
import { type Ctx, hint, sweepRows, updatePlanning } from "#platform/index.ts";
import { oweCallbacks } from "../callback/owe-callbacks.ts";
import { insertDeliveries } from "./fan-out.sql.ts";

/**
 * Numbers waiting events and creates their deliveries in one transaction; returns the number of events. Only one process does this at a
 * time. An event whose deliveries can't be created gets its number later than those after it.
 */
export function fanOut(ctx: Ctx, limit = 500): Promise<number> {
  return sweepRows<NumberedEvent>(ctx, {
    task: "fan_out_events",
    kind: "event",
    limit,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return numberEvents(tx, wanted);
    },
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    async work(tx, events) {
      const owed = (await insertDeliveries(tx, events)) + (await oweCallbacks(tx, ctx, events));
      if (owed > 0) hint(tx, "deliveries");
      hint(tx, "numbered");
      return events.length;
    },
  });
}
