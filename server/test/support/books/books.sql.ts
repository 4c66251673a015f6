import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** A tenant's books without ids and times, so that two tenants with the same history compare equal. */
export interface Books {
  orders: string[];
  links: string[];
  sessions: string[];
  payments: string[];
  callbacks: string[];
  vouchers: string[];
  received: string[];
  exceptions: string[];
  refunds: string[];
  disputes: string[];
  reversed: string[];
  receipts: string[];
  transfers: string[];
  balances: string[];
  events: string[];
  audits: string[];
  notices: number;
  keys: number;
}

export async function readBooks(db: Db, tenant: Tenant): Promise<Books> {
  const { project_id, livemode } = tenant;
  const [row] = await sql(db)<Books>`
    select
      array(select concat_ws(' ', status, version, flags, amount_minor, amount_received_minor, amount_held_minor, amount_refunded_minor,
        amount_refunding_minor, amount_disputed_minor, failure_code)
        from orders
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as orders,
      array(select (revoked_at is null)::text from payment_links
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as links,
      array(select concat_ws(' ', gateway, status, payable_amount_minor, reported_at is null, verified_at is null, failure_code)
        from payment_sessions
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as sessions,
      array(select concat_ws(' ', gateway, status, settled_id is null, paid_minor, paid_currency, fee_minor, exception_id is null)
        from gateway_payments
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as payments,
      array(select concat_ws(' ', gateway, event, state, outcome) from gateway_callbacks
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as callbacks,
      array(select concat_ws(' ', status, rejection_reason) from vouchers
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as vouchers,
      array(select concat_ws(' ', gateway, source, outcome, amount_minor, receipt_id is null) from received_payments
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as received,
      array(select concat_ws(' ', kind, status, amount_minor, resolution, version) from payment_exceptions
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as exceptions,
      array(select concat_ws(' ', method, status, amount_minor, order_id is null, exception_id is null, failure_code, version) from refunds
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as refunds,
      array(select concat_ws(' ', status, amount_minor, currency, in_books, of_order, takings, fee_takings, fee_minor, exception_id is null,
          version)
        from disputes
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as disputes,
      array(select concat_ws(' ', gateway, cause, attempt, amount_minor, exception_id is null) from reversed_payments
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as reversed,
      array(select concat_ws(' ', channel, source, status, amount_minor) from receipts
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as receipts,
      array(select concat_ws(' ', kind, debit, credit, amount_minor, currency, gateway) from ledger_transfers
        where project_id = ${project_id} and livemode = ${livemode} order by 1) as transfers,
      array(select concat_ws(' ', currency, gateway, account, sum(delta_minor)) from ledger_balance_tail
        where project_id = ${project_id} and livemode = ${livemode} group by currency, gateway, account order by 1) as balances,
      array(select event from events where project_id = ${project_id} and livemode = ${livemode} order by 1) as events,
      array(select action from audit_log where project_id = ${project_id} and livemode = ${livemode} order by 1) as audits,
      (select count(*) from notices where recipient = ${project_id}) as notices,
      (select count(*) from idempotency_keys where project_id = ${project_id} and livemode = ${livemode} and result is not null) as keys`;
  if (row === undefined) throw new Error("no books");
  return row;
}
