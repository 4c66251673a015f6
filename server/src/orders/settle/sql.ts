import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** One piece of money, as it was first seen. */
export interface ReceivedRow extends Tenant {
  gateway: string;
  external_id: string;
  order_id: string | null;
  payment_session_id: string | null;
  source: string;
  outcome: "paid" | "underpaid" | "exception";
  exception_id: string | null;
  receipt_id: string | null;
  amount_minor: number;
  currency: string;
  occurred_at: Date;
  created_at: Date;
}

/** False when this external id was seen before; a concurrent first one is waited for. */
export async function insertReceived(tx: Tx, row: ReceivedRow): Promise<boolean> {
  const rows = await sql(tx)`
    insert into received_payments (project_id, livemode, gateway, external_id, order_id, payment_session_id, source, outcome, exception_id, receipt_id,
      amount_minor, currency, occurred_at, created_at)
    values (${row.project_id}, ${row.livemode}, ${row.gateway}, ${row.external_id}, ${row.order_id}, ${row.payment_session_id}, ${row.source}, ${row.outcome},
      ${row.exception_id}, ${row.receipt_id}, ${row.amount_minor}, ${row.currency}, ${row.occurred_at}, ${row.created_at})
    on conflict (project_id, livemode, gateway, external_id) do nothing`;
  return rows.count === 1;
}

export async function findReceived(db: Db, tenant: Tenant, key: { gateway: string; externalId: string }): Promise<ReceivedRow | null> {
  const [row] = await sql(db)<ReceivedRow>`
    select * from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${key.gateway} and external_id = ${key.externalId}`;
  return row ?? null;
}

/** Writes what became of a piece of money once the order's part of it is known. */
export async function updateReceivedOutcome(tx: Tx, row: ReceivedRow): Promise<void> {
  await sql(tx)`
    update received_payments set outcome = ${row.outcome}, exception_id = ${row.exception_id}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and gateway = ${row.gateway} and external_id = ${row.external_id}`;
}

/** Ties a receipt to the settled payment that it shows; false when another receipt was faster. */
export async function updateReceivedReceipt(tx: Tx, tenant: Tenant, given: { gateway: string; externalId: string; receiptId: string }): Promise<boolean> {
  const rows = await sql(tx)`
    update received_payments set receipt_id = ${given.receiptId}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway} and external_id = ${given.externalId}
      and receipt_id is null`;
  return rows.count === 1;
}

/** Personal-QR money settled without a receipt of its own that a receipt of this amount and time could show. */
export async function lockUnreceipted(tx: Tx, tenant: Tenant, given: { gateway: string; amountMinor: number; occurredAt: Date }): Promise<ReceivedRow[]> {
  return sql(tx)<ReceivedRow>`
    select r.* from received_payments r
    left join payment_sessions s on s.project_id = r.project_id and s.livemode = r.livemode and s.id = r.payment_session_id
    where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} and r.gateway = ${given.gateway} and r.amount_minor = ${given.amountMinor}
      and r.receipt_id is null and r.source = 'review'
      and s.created_at - interval '10 minutes' <= ${given.occurredAt} and r.created_at + interval '10 minutes' >= ${given.occurredAt}
    order by r.occurred_at limit 20 for no key update of r`;
}

/** Today's settled personal-QR money of a channel, for the profile's daily limit. */
export async function findReceivedSince(tx: Tx, tenant: Tenant, given: { gateway: string; since: Date }): Promise<number> {
  const [row] = await sql(tx)<{ total: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as total from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway} and occurred_at >= ${given.since}`;
  return row?.total ?? 0;
}
