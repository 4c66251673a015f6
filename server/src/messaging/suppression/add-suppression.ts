import { type Ctx, findNow, type Tenant, type Tx } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { emitSuppression } from "./emit-suppression.ts";
import { strengthOf, usualEnd } from "./reasons.ts";
import { insertSuppression, lockSuppression, type SuppressionRow, updateSuppression } from "./sql.ts";

export interface NewSuppression {
  tenant: Tenant;
  channel: Channel;
  address: string;
  reason: string;
  /** The message that caused it. */
  source_id?: string | null;
  /** Absent: the reason's default. null: never. */
  expires_at?: Date | null;
}

/** The suppression in effect for the address, and whether this call created it. */
export interface Added {
  suppression: SuppressionRow;
  changed: boolean;
}

/**
 * Suppresses an address. If it is already suppressed, the stronger reason wins; for equal reasons, the later expiry. An expired suppression
 * is replaced. Addresses of the simulator are never suppressed: nothing is stored.
 */
export async function addSuppression(tx: Tx, ctx: Ctx, given: NewSuppression): Promise<Added> {
  const { canonical, isSimulated } = given.channel.addresses;
  const now = await findNow(tx);
  const wanted: SuppressionRow = {
    project_id: given.tenant.project_id,
    livemode: given.tenant.livemode,
    id: ctx.id("sup"),
    channel: given.channel.name,
    address: canonical(given.address),
    reason: given.reason,
    source_id: given.source_id ?? null,
    expires_at: given.expires_at === undefined ? usualEnd(given.reason, now) : given.expires_at,
    created_at: now,
    updated_at: now,
  };
  if (isSimulated(wanted.address)) return { suppression: wanted, changed: false };
  const made = await insertSuppression(tx, wanted);
  if (made !== null) return emitAdded(tx, ctx, made);
  const found = await lockSuppression(tx, given.tenant, wanted);
  const later = await findNow(tx);
  if (found === null) return addSuppression(tx, ctx, given);
  if (!outweighs(wanted, found, later)) return { suppression: found, changed: false };
  const { reason, source_id, expires_at, updated_at } = wanted;
  return emitAdded(tx, ctx, await updateSuppression(tx, { ...found, reason, source_id, expires_at, updated_at }));
}

async function emitAdded(tx: Tx, ctx: Ctx, suppression: SuppressionRow): Promise<Added> {
  await emitSuppression(tx, ctx, { event: "created", suppression });
  return { suppression, changed: true };
}

/** Whether a new suppression replaces the existing one. */
export function outweighs(wanted: SuppressionRow, found: SuppressionRow, now: Date): boolean {
  if (found.expires_at !== null && found.expires_at <= now) return true;
  const difference = strengthOf(wanted.reason) - strengthOf(found.reason);
  if (difference !== 0) return difference > 0;
  return found.expires_at !== null && (wanted.expires_at === null || wanted.expires_at > found.expires_at);
}
