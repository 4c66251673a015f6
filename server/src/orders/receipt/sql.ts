import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { SessionRow } from "../shapes.ts";

export interface Candidate extends SessionRow {
  order_status: string;
}

/**
 * Sessions of a channel that a receipt of this amount and time could pay: reported or running then, or ended no more than a day before.
 * Newest first; locked orders come later, in settle.
 */
export async function listCandidates(
  tx: Tx,
  tenant: Tenant,
  given: { channel: string; amountMinor: number; currency: string; occurredAt: Date },
): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    select s.*, o.status as order_status
    from payment_sessions s
    join orders o on o.project_id = s.project_id and o.livemode = s.livemode and o.id = s.order_id
    where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.channel = ${given.channel} and s.currency = ${given.currency}
      and s.payable_amount_minor = ${given.amountMinor} and s.status in ('pending', 'pending_verify', 'expired')
      and o.status in ('unpaid', 'pending_verify', 'expired')
      and s.created_at - interval '1 minute' <= ${given.occurredAt} and s.expires_at + interval '24 hours' >= ${given.occurredAt}
    order by s.id desc limit 20`;
}
