import type { Tenant, Tx } from "#platform/index.ts";
import { findFreeAmount, insertAmountLock } from "./sql.ts";

export interface AmountWanted {
  profile_id: string;
  session_id: string;
  amount_minor: number;
  /** How much less may be asked for. */
  max_offset_minor: number;
  /** Until when no other session may be asked for the same. */
  until: Date;
  now: Date;
}

/**
 * An amount that no other session of the profile is or was lately asked for: the wanted one, or a little less, never more.
 * A primary key holds it, so two buyers cannot get the same one; null when none is free.
 */
export async function allocateAmount(tx: Tx, tenant: Tenant, wanted: AmountWanted): Promise<number | null> {
  const { profile_id, session_id, until, now } = wanted;
  const to = Math.max(1, wanted.amount_minor - wanted.max_offset_minor);
  for (;;) {
    const amount = await findFreeAmount(tx, tenant, { profile_id, from: wanted.amount_minor, to, now });
    if (amount === null) return null;
    if (await insertAmountLock(tx, tenant, { profile_id, amount, session_id, until, now })) return amount;
  }
}
