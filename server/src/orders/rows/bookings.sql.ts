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

/**
 * Providers' fees of these payments that weren't reversed, by their names in the ledger: a fee is booked with the order that its payment
 * was requested for, and the money may be another order's since.
 */
export async function listFees(db: Db, tenant: Tenant, payments: readonly Pick<Booking, "gateway" | "external_id">[]): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select distinct t.id
    from unnest(${payments.map(({ gateway }) => gateway)}::text[], ${payments.map(({ external_id }) => external_id)}::text[])
      as paid (gateway, external_id)
    cross join lateral generate_series(0, (select count(*) from reversed_payments p
      where p.project_id = ${tenant.project_id} and p.livemode = ${tenant.livemode}
        and p.gateway = paid.gateway and p.external_id = paid.external_id)) as reversals
    join ledger_transfers t on t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode} and t.kind = 'fee'
      and t.source = paid.gateway || ':' || paid.external_id || case when reversals = 0 then '' else '#' || reversals end
    where not exists (select from ledger_transfers r where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id)
    order by t.id`;
  return rows.map((row) => row.id);
}

/** The newest fee with one of these names in the ledger, if it was reversed. */
export async function findReversedFee(
  db: Db,
  tenant: Tenant,
  sources: readonly string[],
): Promise<{ amount_minor: number; currency: string } | null> {
  const [fee] = await sql(db)<{ amount_minor: number; currency: string; is_reversed: boolean }>`
    select t.amount_minor, t.currency, exists (select from ledger_transfers r
      where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id) as is_reversed
    from ledger_transfers t
    where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode} and t.kind = 'fee' and t.source = any (${sources}::text[])
    order by t.id desc limit 1`;
  return fee?.is_reversed === true ? { amount_minor: fee.amount_minor, currency: fee.currency } : null;
}
