import { type Account, methodOfChannel } from "#collection/index.ts";
import { type Db, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import { receivedColumns } from "../../rows/received.sql.ts";
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

/** Bookings through an account for these orders, or under one of these numbers, with the sources whose receipts are known. */
export function listPieces<On extends Db | Pipe>(
  db: On,
  account: Account,
  given: { orders: { project_id: string; id: string }[]; keys: string[] },
): Sent<On, BookedPayment[]> {
  const gateway = methodOfChannel(account.channel).gateway;
  return send(
    db,
    sql(db)<BookedPayment>`
    -- all tenants: projects of one merchant share an account; each key names its own project
    with pieces as (
      select ${receivedColumns.of("r")} from unnest(${given.orders.map((order) => order.project_id)}::text[],
        ${given.orders.map((order) => order.id)}::text[]) as key (project_id, id)
      join received_payments r on r.project_id = key.project_id and r.livemode = ${account.livemode} and r.order_id = key.id
        and r.gateway = ${gateway} and r.source in ('review', 'receipt', 'link')
      union
      select ${receivedColumns.of("r")} from received_payments r
      where r.merchant_id = ${account.merchant_id} and r.livemode = ${account.livemode} and r.gateway = ${gateway}
        and r.external_key = any (${given.keys}::text[]))
    select p.project_id, p.external_id, p.external_key, p.order_id, p.payment_session_id as session_id, p.amount_minor, p.occurred_at,
      p.set_id, array(select distinct c.source from receipts c
        where (c.booked_project_id = p.project_id and c.livemode = p.livemode and c.channel = ${account.channel}
            and c.booked_external_id = p.external_id)
          or (p.set_id is not null and c.set_id = p.set_id)) as sources
    from pieces p
    left join payment_sessions s on s.project_id = p.project_id and s.livemode = p.livemode and s.id = p.payment_session_id
    left join askings a on a.project_id = s.project_id and a.livemode = s.livemode and a.id = s.asking_id
    where a.id is null or a.account_ref = ${account.account_ref}
    order by p.occurred_at, p.external_id`,
    (rows) => rows,
  );
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
