import { amongWanted, hint, lockExpired, type Sql, type Tx, updateRequeued } from "#platform/index.ts";
import { type DeliveryState, deliveryStates } from "../../states.ts";
import { deliveryQueue, type LostDelivery, updateLostAttempts } from "./claim.sql.ts";
import { listUnwanted } from "./returned.sql.ts";

const maxAtOnce = 10_000;

/** A delivery whose lease belongs to no live process. */
export type HeldDelivery = Awaited<ReturnType<typeof lockLost>>[number];

/** Names a delivery, as its queue does. */
export function jobOf({ endpoint_id, event_id }: Pick<HeldDelivery, "endpoint_id" | "event_id">): string {
  return `${endpoint_id}/${event_id}`;
}

/** Locks deliveries whose lease has expired, without some, or all those leased by one process. */
export function lockLost(tx: Tx, { without = [], ...given }: { limit?: number; holder?: string; without?: readonly string[] }) {
  const columns = (tag: Sql) => tag`, q.project_id, q.livemode, q.endpoint_id, q.event_id, q.attempts, q.back_to`;
  const among = (tag: Sql) => amongWanted(tag, deliveryQueue.job(tag), { limit: maxAtOnce, without });
  return lockExpired<LostDelivery>(tx, deliveryQueue, { limit: maxAtOnce, ...given, among, columns });
}

type ReleasedDelivery = HeldDelivery & { isSetAside: boolean; wait_ms: number };

/**
 * Ends the leases of locked deliveries and records the lost attempts. They become due again, or are skipped if their endpoint no longer
 * wants them, return to their state before a manual attempt, or are set aside.
 */
export async function releaseDeliveries(tx: Tx, held: ReleasedDelivery[]): Promise<void> {
  const unwanted = new Set((await listUnwanted(tx, held)).map(jobOf));
  const lost = held.map((one) => {
    const state = stateAfter(one, unwanted);
    deliveryStates.check(["leased"], state);
    return { ...one, state, wait_ms: state === "due" && one.back_to === null ? one.wait_ms : null };
  });
  await updateRequeued(tx, deliveryQueue, lost);
  await updateLostAttempts(tx, lost);
  if (held.some(({ isSetAside }) => !isSetAside)) hint(tx, "deliveries");
}

function stateAfter(one: ReleasedDelivery, unwanted: ReadonlySet<string>): DeliveryState {
  if (one.isSetAside) return "set_aside";
  const state = one.back_to ?? "due";
  return state === "due" && unwanted.has(jobOf(one)) ? "skipped" : state;
}
