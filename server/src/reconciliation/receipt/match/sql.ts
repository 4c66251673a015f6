import { type Account, methodOfChannel } from "#collection/index.ts";
import { receivedColumns } from "#orders/index.ts";
import { type Db, type Fragment, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { BookedPayment, ReservedOrder } from "./world.ts";

/** The orders of reservations, in any of the merchant's projects. */
export function listReservedOrders<On extends Db | Pipe>(
  db: On,
  livemode: boolean,
  keys: { project_id: string; id: string }[],
): Sent<On, ReservedOrder[]> {
  return send(
    db,
    sql(db)<ReservedOrder>`
    -- all tenants: projects of one merchant share an account; each key names its own project
    select o.id, o.project_id, o.status, o.flags, o.expires_at, o.amount_minor - o.amount_held_minor as owed_minor
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => key.id)}::text[]) as key (project_id, id)
    join orders o on o.project_id = key.project_id and o.livemode = ${livemode} and o.id = key.id`,
    (rows) => rows,
  );
}

/**
 * Bookings through an account for these orders, or under one of these numbers, with the sources whose receipts are known. Money that was
 * reversed as another order's is among those of the order that it left, and of the one that a person gave it to.
 *
 * Plan: for each order `received_payments_of_order`, `reversed_payments_of_order` and `ledger_transfers_of_order` are walked, each with few
 * rows, and `received_payments_key` for the numbers; everything joined to a booking is a lookup by its key. The arms are a union, because
 * one condition over all of them would read every booking of the merchant.
 */
export function listPieces<On extends Db | Pipe>(
  db: On,
  account: Account,
  given: { orders: { project_id: string; id: string }[]; keys: string[] },
): Sent<On, BookedPayment[]> {
  const place = { livemode: account.livemode, gateway: methodOfChannel(account.channel).gateway };
  return send(
    db,
    sql(db)<BookedPayment>`
    -- all tenants: projects of one merchant share an account; each key names its own project
    with keys as (
      select * from unnest(${given.orders.map((order) => order.project_id)}::text[],
        ${given.orders.map((order) => order.id)}::text[]) as key (project_id, id)),
    pieces as (
      ${bookedPieces(db, place)} union ${reversedPieces(db, place)} union ${reassignedPieces(db, place)} union
      select ${receivedColumns.of("r")} from received_payments r
      where r.merchant_id = ${account.merchant_id} and r.livemode = ${account.livemode} and r.gateway = ${place.gateway}
        and r.external_key = any (${given.keys}::text[]))
    select p.project_id, p.external_id, p.external_key, coalesce(p.order_id, t.order_id) as order_id, p.payment_session_id as session_id,
      p.amount_minor, p.occurred_at, p.set_id, array(select v.order_id ${reversalsOfPiece(db)} order by v.attempt) as reversed_orders,
      array(${sourcesOfPiece(db, account.channel)}) as sources
    from pieces p
    left join ledger_transfers t on p.order_id is null and t.project_id = p.project_id and t.livemode = p.livemode
      and t.kind = 'order_payment' and t.source = 'applied:' || p.exception_id
    left join payment_sessions s on s.project_id = p.project_id and s.livemode = p.livemode and s.id = coalesce(p.payment_session_id,
      case when p.order_id is null then (select v.payment_session_id ${reversalsOfPiece(db)} order by v.attempt desc limit 1) end)
    left join askings a on a.project_id = s.project_id and a.livemode = s.livemode and a.id = s.asking_id
    where a.id is null or a.account_ref = ${account.account_ref}
    order by p.occurred_at, p.external_id`,
    (rows) => rows,
  );
}

/** Whether a booking `r` can be shown by a receipt: only this money moves through a personal code. */
function isPersonal(db: Db | Pipe): Fragment {
  return sql(db)`r.source in ('review', 'receipt', 'link')`;
}

/** Bookings of the `keys`. */
function bookedPieces(db: Db | Pipe, { livemode, gateway }: { livemode: boolean; gateway: string }): Fragment {
  return sql(db)`
      -- all tenants: each key names its own project
      select ${receivedColumns.of("r")} from keys
      join received_payments r on r.project_id = keys.project_id and r.livemode = ${livemode} and r.order_id = keys.id
        and r.gateway = ${gateway} and ${isPersonal(db)}`;
}

/** Bookings that were reversed from one of the `keys` as another order's money. */
function reversedPieces(db: Db | Pipe, { livemode, gateway }: { livemode: boolean; gateway: string }): Fragment {
  return sql(db)`
      -- all tenants: each key names its own project
      select ${receivedColumns.of("r")} from keys
      join reversed_payments v on v.project_id = keys.project_id and v.livemode = ${livemode} and v.order_id = keys.id
        and v.gateway = ${gateway} and v.cause = 'other_order'
      join received_payments r on r.project_id = v.project_id and r.livemode = v.livemode and r.gateway = v.gateway
        and r.external_id = v.external_id and ${isPersonal(db)}`;
}

/** Bookings without an order whose exception was accepted for one of the `keys`. */
function reassignedPieces(db: Db | Pipe, { livemode, gateway }: { livemode: boolean; gateway: string }): Fragment {
  return sql(db)`
      -- all tenants: each key names its own project
      select ${receivedColumns.of("r")} from keys
      join ledger_transfers t on t.project_id = keys.project_id and t.livemode = ${livemode} and t.order_id = keys.id
        and t.kind = 'order_payment' and t.source like 'applied:%'
      join payment_exceptions e on e.project_id = t.project_id and e.livemode = t.livemode and e.id = substr(t.source, 9)
      join received_payments r on r.project_id = e.project_id and r.livemode = e.livemode and r.gateway = e.gateway
        and r.external_id = e.external_id and r.exception_id = e.id and r.order_id is null and r.gateway = ${gateway}
        and ${isPersonal(db)}`;
}

/** The sources whose receipts show a booking `p`. */
function sourcesOfPiece(db: Db | Pipe, channel: string): Fragment {
  return sql(db)`
    -- all tenants: projects of one merchant share an account
    select distinct c.source from receipts c
    where (c.booked_project_id = p.project_id and c.livemode = p.livemode and c.channel = ${channel}
        and c.booked_external_id = p.external_id)
      or (p.set_id is not null and c.set_id = p.set_id)`;
}

/** The reversals of a booking `p` as another order's money. */
function reversalsOfPiece(db: Db | Pipe): Fragment {
  return sql(db)`
    from reversed_payments v where v.project_id = p.project_id and v.livemode = p.livemode and v.gateway = p.gateway
      and v.external_id = p.external_id and v.cause = 'other_order'`;
}

/** The newest session of each reservation. */
export async function listReservedSessions(
  db: Db,
  livemode: boolean,
  keys: { project_id: string; id: string }[],
): Promise<{ asking_id: string; id: string; created_at: Date }[]> {
  return sql(db)<{ asking_id: string; id: string; created_at: Date }>`
    -- all tenants: projects of one merchant share an account; each key names its own project
    select distinct on (s.asking_id) s.asking_id, s.id, s.created_at
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => key.id)}::text[]) as key (project_id, id)
    join payment_sessions s on s.project_id = key.project_id and s.livemode = ${livemode} and s.asking_id = key.id
    order by s.asking_id, s.id desc`;
}
