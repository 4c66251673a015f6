import { emit } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import type { SuppressionRow } from "./sql.ts";

/** Publishes the event that an address was suppressed, or no longer is. */
export async function emitSuppression(
  tx: Tx,
  ctx: Ctx,
  given: { event: "created" | "deleted"; suppression: SuppressionRow },
): Promise<void> {
  const { id, project_id, livemode, channel, address, reason, source_id, expires_at, created_at } = given.suppression;
  const suppression = { id, object: "suppression", channel, address, reason, source_id, expires_at, created_at };
  await emit(tx, ctx, {
    tenant: { project_id, livemode },
    events: [{ event: `suppression.${given.event}`, object_id: id, data: { suppression } }],
  });
}
