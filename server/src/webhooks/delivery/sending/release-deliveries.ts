import { amongWanted, hint, lockExpired, type Sql, type Tx, updateRequeued } from "#platform/index.ts";
import { deliveryStates } from "../../states.ts";
import { deliveryQueue, type LostDelivery, updateLostAttempts } from "./claim.sql.ts";

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

/**
 * Ends the leases of locked deliveries and records the lost attempts. They become due again, return to their state before a manual attempt,
 * or are set aside.
 */
export async function releaseDeliveries(tx: Tx, held: (HeldDelivery & { isSetAside: boolean; wait_ms: number })[]): Promise<void> {
  const lost = held.map((one) => {
    const state = one.isSetAside ? "set_aside" : (one.back_to ?? "due");
    deliveryStates.check(["leased"], state);
    return { ...one, state, wait_ms: state === "due" && one.back_to === null ? one.wait_ms : null };
  });
  await updateRequeued(tx, deliveryQueue, lost);
  await updateLostAttempts(tx, lost);
  if (held.some(({ isSetAside }) => !isSetAside)) hint(tx, "deliveries");
}
