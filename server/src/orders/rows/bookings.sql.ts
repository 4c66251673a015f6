import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Money that is booked as an order's payment and wasn't reversed. */
export interface Booking {
  /** Its transfer. */
  id: string;
  gateway: string;
  external_id: string;
  amount_minor: number;
}

export async function listBookings(db: Db, order: Tenant & { id: string }): Promise<Booking[]> {
  return sql(db)<Booking>`
    select t.id, t.gateway, t.external_transaction_id as external_id, t.amount_minor from ledger_transfers t
    where t.project_id = ${order.project_id} and t.livemode = ${order.livemode} and t.order_id = ${order.id}
      and t.kind = 'order_payment' and t.debit = 'custody'
      and not exists (select from ledger_transfers r where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id)
    order by t.id`;
}

/**
 * What completed an order's payment in addition to its bookings: forgiven shortfalls, and excess that the merchant kept from these
 * exceptions.
 */
export async function listSideBookings(db: Db, order: Tenant & { id: string }, acceptedIds: string[]): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select t.id from ledger_transfers t
    where t.project_id = ${order.project_id} and t.livemode = ${order.livemode} and t.order_id = ${order.id}
      and (t.debit = 'shortfall' or t.kind = 'adjustment' and t.source = any (${acceptedIds.map((id) => `kept:${id}`)}::text[]))
      and not exists (select from ledger_transfers r where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id)
    order by t.id`;
  return rows.map((row) => row.id);
}
