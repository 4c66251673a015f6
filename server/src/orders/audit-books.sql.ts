import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** One discrepancy. */
export interface BookFault {
  rule: string;
  project_id: string;
  livemode: boolean;
  object_id: string;
  expected: number | null;
  found: number | null;
}

const faultsMax = 100;

/** An exception whose money is still held: undecided, ignored, or not refunded by its provider yet. */
const holding = (db: Db): Fragment => sql(db)`
  (e.status = 'open' or e.resolution = 'ignore' or (e.resolution = 'refund' and exists (select from refunds r
    where r.project_id = e.project_id and r.livemode = e.livemode and r.exception_id = e.id
      and r.status in ('pending', 'requires_action', 'unknown'))))`;

/** A transfer that wasn't reversed. */
const current = (db: Db): Fragment => sql(db)`
  not exists (select from ledger_transfers r where r.project_id = t.project_id and r.livemode = t.livemode and r.reverses = t.id)`;

/**
 * Paid orders whose ledger payments and forgiven amounts don't add up to their amount, and payments of orders that aren't paid. Reversed
 * payments don't count; an order with that flag has none.
 */
export async function listUnbalancedOrders(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with booked as (
      select project_id, livemode, order_id as id, sum(amount_minor)::bigint as total from ledger_transfers t
      where (kind = 'order_payment' or debit = 'shortfall') and order_id is not null and ${current(db)}
      group by project_id, livemode, order_id),
    owed as (
      select project_id, livemode, id,
        case when status = 'paid' and not 'payment_reversed' = any (flags) then amount_minor else 0 end as total from orders)
    select 'paid orders equal their order_payment transfers' as rule, project_id, livemode, id as object_id,
      coalesce(o.total, 0) as expected, coalesce(b.total, 0) as found
    from owed o full join booked b using (project_id, livemode, id)
    where coalesce(b.total, 0) <> coalesce(o.total, 0)
    limit ${faultsMax}`;
}

/** Paid orders without exactly one order.paid event, and such events of unpaid orders. Test events are about no order. */
export async function listUnannouncedOrders(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with told as (select project_id, livemode, object_id, count(*) as total from events where event = 'order.paid' and not test
      group by project_id, livemode, object_id)
    select 'one order.paid event for each paid order' as rule, project_id, livemode, id as object_id,
      case when o.status = 'paid' then 1 else 0 end::bigint as expected, coalesce(t.total, 0) as found
    from orders o full join (select project_id, livemode, object_id as id, total from told) t using (project_id, livemode, id)
    where coalesce(t.total, 0) <> case when o.status = 'paid' then 1 else 0 end
    limit ${faultsMax}`;
}

/** Held money (suspense and excess) of a wallet compared with the exceptions that still hold it. */
export async function listUnexplainedMoney(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with moved as (
      select t.project_id, t.livemode, t.gateway, t.currency, t.credit as account, t.amount_minor as amount from ledger_transfers t
        where t.credit in ('suspense', 'excess')
      union all
      select t.project_id, t.livemode, t.gateway, t.currency, t.debit, -t.amount_minor from ledger_transfers t
        where t.debit in ('suspense', 'excess')),
    held as (select project_id, livemode, gateway, currency, sum(amount)::bigint as total from moved
      group by project_id, livemode, gateway, currency),
    cases as (select project_id, livemode, gateway, currency, sum(amount_minor)::bigint as total from payment_exceptions e
      where transaction_id is not null and ${holding(db)} group by project_id, livemode, gateway, currency)
    select 'held money equals the exceptions that hold it' as rule, project_id, livemode, gateway || ' ' || currency as object_id,
      coalesce(c.total, 0) as expected, coalesce(h.total, 0) as found
    from held h full join cases c using (project_id, livemode, gateway, currency)
    where coalesce(h.total, 0) <> coalesce(c.total, 0)
    limit ${faultsMax}`;
}

/**
 * Received money compared with the ledger, per wallet. Money that was held and released was received once: its reversal is subtracted, as
 * is that of a payment that was booked by mistake. Refunded money of an exception still counts as received.
 */
export async function listUnbookedMoney(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with parts as (
      select project_id, livemode, gateway, currency, amount_minor from received_payments
      union all
      select project_id, livemode, gateway, currency, -amount_minor from refunds where exception_id is not null and status = 'succeeded'),
    seen as (select project_id, livemode, gateway, currency, sum(amount_minor)::bigint as total from parts
      group by project_id, livemode, gateway, currency),
    booked as (select project_id, livemode, gateway, currency,
        sum(case when kind = 'reversal' then -amount_minor else amount_minor end)::bigint as total
      from ledger_transfers
      where (debit = 'custody' and kind in ('order_payment', 'suspense', 'excess', 'adjustment'))
        or (kind = 'reversal' and credit = 'custody')
      group by project_id, livemode, gateway, currency)
    select 'every received cent is booked' as rule, project_id, livemode, gateway || ' ' || currency as object_id,
      coalesce(s.total, 0) as expected, coalesce(b.total, 0) as found
    from seen s full join booked b using (project_id, livemode, gateway, currency)
    where coalesce(s.total, 0) <> coalesce(b.total, 0)
    limit ${faultsMax}`;
}

/** Received and held amounts of orders compared with the ledger and the exceptions. Reports sum the former. */
export async function listUnequalReceipts(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with taken as (
      select project_id, livemode, order_id as id, sum(amount_minor)::bigint as total from ledger_transfers t
      where kind = 'order_payment' and debit = 'custody' and order_id is not null and ${current(db)}
      group by project_id, livemode, order_id),
    held as (
      select project_id, livemode, order_id as id, sum(amount_minor)::bigint as total from payment_exceptions
      where order_id is not null and (kind = 'overpaid' and (resolution is null or resolution not in ('refund', 'released'))
        or kind = 'underpaid' and status = 'open')
      group by project_id, livemode, order_id)
    select 'orders received what the ledger booked for them' as rule, project_id, livemode, id as object_id,
      coalesce(o.amount_received_minor, 0) as expected, coalesce(t.total, 0) as found
    from orders o full join taken t using (project_id, livemode, id)
    where coalesce(t.total, 0) <> coalesce(o.amount_received_minor, 0)
    union all
    select 'what is held for orders has exceptions', project_id, livemode, id, coalesce(o.amount_held_minor, 0), coalesce(h.total, 0)
    from orders o full join held h using (project_id, livemode, id)
    where coalesce(h.total, 0) <> coalesce(o.amount_held_minor, 0)
    limit ${faultsMax}`;
}

/**
 * Wallets compared with what orders received and exceptions hold or released to the merchant: every cent of a balance is explained.
 *
 * Plan: an audit of all tenants, so balances, orders and exceptions are read from end to end, once each, and compared by one hash join. Of
 * the transfers only those that no order explains are read: adjustments and fees by `ledger_transfers_source`, without those that
 * `ledger_transfers_reversed_once` shows to be taken back, and disputes by `ledger_transfers_disputed`. One statement, so that no payment
 * in between looks like a fault.
 */
export async function listUnexplainedBalances(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with parts as (
      select project_id, livemode, currency, balance_minor as amount from ledger_balances where account = 'custody'
      union all
      select project_id, livemode, currency, delta_minor from ledger_balance_tail where account = 'custody'),
    wallets as (select project_id, livemode, currency, sum(amount)::bigint as total from parts group by project_id, livemode, currency),
    reasons as (
      select project_id, livemode, currency, amount_received_minor - amount_refunded_minor as amount from orders
        where amount_received_minor > 0
      union all
      select project_id, livemode, currency, amount_minor from payment_exceptions e
      where transaction_id is not null and ${holding(db)}
      union all
      select project_id, livemode, currency, amount_minor from ledger_transfers t
        where kind = 'adjustment' and debit = 'custody' and ${current(db)}
      union all
      select project_id, livemode, currency, -amount_minor from ledger_transfers t where kind = 'fee' and ${current(db)}
      union all
      select project_id, livemode, currency, case kind when 'dispute' then -amount_minor else amount_minor end from ledger_transfers t
      where kind in ('dispute', 'dispute_reversal')),
    explained as (select project_id, livemode, currency, sum(amount)::bigint as total from reasons group by project_id, livemode, currency)
    select 'balances equal what orders received plus held money' as rule, project_id, livemode, currency as object_id,
      coalesce(e.total, 0) as expected, coalesce(w.total, 0) as found
    from wallets w full join explained e using (project_id, livemode, currency)
    where coalesce(w.total, 0) <> coalesce(e.total, 0)
    limit ${faultsMax}`;
}

/** Refunded and refunding amounts of orders compared with their refunds, and successful refunds with their transfers. */
export async function listUnequalRefunds(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with given as (
      select project_id, livemode, order_id as id, coalesce(sum(amount_minor) filter (where status = 'succeeded'), 0)::bigint as refunded,
        coalesce(sum(amount_minor) filter (where status in ('pending', 'requires_action', 'unknown')), 0)::bigint as refunding
      from refunds where exception_id is null group by project_id, livemode, order_id),
    taken as (
      select project_id, livemode, source as id, amount_minor as total from ledger_transfers t where kind = 'refund' and ${current(db)}),
    gone as (select project_id, livemode, id, amount_minor as total from refunds where exception_id is null and status = 'succeeded')
    select 'orders refunded what their refunds say' as rule, project_id, livemode, id as object_id,
      o.amount_refunded_minor as expected, coalesce(g.refunded, 0) as found
    from orders o left join given g using (project_id, livemode, id)
    where o.amount_refunded_minor <> coalesce(g.refunded, 0) or o.amount_refunding_minor <> coalesce(g.refunding, 0)
      or o.amount_refunded_minor + o.amount_refunding_minor > o.amount_received_minor
    union all
    select 'refunds equal their transfers', project_id, livemode, id, coalesce(g.total, 0), coalesce(t.total, 0)
    from gone g full join taken t using (project_id, livemode, id)
    where coalesce(g.total, 0) <> coalesce(t.total, 0)
    limit ${faultsMax}`;
}

/** Disputed amounts compared with their transfers, and those of orders with their disputes. */
export async function listUnequalDisputes(db: Db): Promise<BookFault[]> {
  return sql(db)<BookFault>`
    -- all tenants: the operator's audit reads every book
    with gone as (
      select project_id, livemode, split_part(source, ':', 1) as id,
        sum(case kind when 'dispute' then amount_minor else -amount_minor end)::bigint as total
      from ledger_transfers t where kind in ('dispute', 'dispute_reversal') group by project_id, livemode, split_part(source, ':', 1)),
    said as (select project_id, livemode, id, case when transaction_id is null then 0 else amount_minor end as total from disputes),
    counted as (
      select project_id, livemode, order_id as id, sum(amount_minor)::bigint as total from disputes
      where of_order and status in ('opened', 'lost') group by project_id, livemode, order_id)
    select 'disputes equal their transfers' as rule, project_id, livemode, id as object_id, coalesce(s.total, 0) as expected,
      coalesce(g.total, 0) as found
    from said s full join gone g using (project_id, livemode, id)
    where coalesce(s.total, 0) <> coalesce(g.total, 0)
    union all
    select 'orders count what disputes took of them', project_id, livemode, id,
      least(coalesce(c.total, 0), o.amount_received_minor - o.amount_refunded_minor - o.amount_refunding_minor), o.amount_disputed_minor
    from orders o left join counted c using (project_id, livemode, id)
    where o.amount_disputed_minor
      <> least(coalesce(c.total, 0), o.amount_received_minor - o.amount_refunded_minor - o.amount_refunding_minor)
    limit ${faultsMax}`;
}
