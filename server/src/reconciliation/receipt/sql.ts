import { type Account, personalMethods } from "#collection/index.ts";
import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** The accounts that an order was asked to pay into. */
export async function listAccountsOfOrder(db: Db, tenant: Tenant, orderId: string): Promise<Account[]> {
  return sql(db)<Account>`
    select distinct a.merchant_id, a.livemode, a.channel, a.account_ref from askings a
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.order_id = ${orderId}`;
}

/** The account that a payment session asked for: its own asking's, or the one that its order was last asked to pay into there. */
export async function findAccountOfSession(
  db: Db,
  session: Tenant & { order_id: string; asking_id: string | null },
  channel: string,
): Promise<Account | null> {
  const [row] = await sql(db)<Account>`
    select a.merchant_id, a.livemode, a.channel, a.account_ref from askings a
    where a.project_id = ${session.project_id} and a.livemode = ${session.livemode} and a.order_id = ${session.order_id}
      and a.channel = ${channel}
    order by a.id = ${session.asking_id} desc nulls last, a.updated_at desc, a.id desc limit 1`;
  return row ?? null;
}

/** An order of one of the merchant's projects, by its id. */
export async function findMerchantOrder(
  db: Db,
  given: { merchant_id: string; livemode: boolean; id: string },
): Promise<(Tenant & { id: string }) | null> {
  const [row] = await sql(db)<Tenant & { id: string }>`
    -- all tenants: a member may give a receipt to an order of any of the merchant's projects
    select o.project_id, o.livemode, o.id from orders o join projects p on p.id = o.project_id
    where p.merchant_id = ${given.merchant_id} and o.livemode = ${given.livemode} and o.id = ${given.id}`;
  return row ?? null;
}

/** The project that recorded a receipt; one of the same merchant as the exception's. */
export async function findReceiptTenant(db: Db, tenant: Tenant, id: string): Promise<Tenant | null> {
  const [row] = await sql(db)<Tenant>`
    -- all tenants: a receipt of an account may be another project's than the order that it names
    select r.project_id, r.livemode from receipts r
    where r.merchant_id = (select merchant_id from projects where id = ${tenant.project_id}) and r.livemode = ${tenant.livemode}
      and r.id = ${id}`;
  return row ?? null;
}

export interface Named {
  id: string;
  reference: string | null;
}

/** The references of a project's orders. */
export async function listReferences(db: Db, tenant: Tenant, ids: string[]): Promise<Named[]> {
  return await sql(db)<Named>`
    select id, reference from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = any (${ids}::text[])`;
}

/** The gateway of a receipt `r`. */
function gatewayOf(db: Db): Fragment {
  const [channels, gateways] = [personalMethods.map(({ channel }) => channel), personalMethods.map(({ gateway }) => gateway)];
  return sql(db)`(${gateways}::text[])[array_position(${channels}::text[], r.channel)]`;
}

/**
 * Joins that find the order that the money of a receipt `r` paid: as its payment, as a part that waits for the rest, or through its
 * exception (`e`). Money that is only held for an order, or that the merchant keeps in addition to its payment, paid none.
 * `findOrderOfMoney` finds that order.
 */
export function findMoney(db: Db): Fragment {
  return sql(db)`
    left join payment_sessions s on s.project_id = coalesce(r.booked_project_id, r.project_id) and s.livemode = r.livemode
      and s.id = r.payment_session_id
    left join received_payments m on m.project_id = r.booked_project_id and m.livemode = r.livemode and m.external_id = r.booked_external_id
      and m.gateway = ${gatewayOf(db)}
    left join payment_exceptions e on e.project_id = m.project_id and e.livemode = m.livemode
      and e.id = coalesce(r.exception_id, m.exception_id)
    left join ledger_transfers t on t.project_id = e.project_id and t.livemode = e.livemode and t.kind = 'order_payment'
      and t.source = 'applied:' || e.id`;
}

/** The order of a receipt's money; see `findMoney`. */
export function findOrderOfMoney(db: Db): Fragment {
  return sql(db)`coalesce(t.order_id,
    case when m.outcome = 'paid' or m.outcome = 'underpaid' and e.kind = 'underpaid' and e.status = 'open' then m.order_id end,
    s.order_id)`;
}

/** The orders that receipts of a project paid there. */
export async function listOrdersOfReceipts(db: Db, tenant: Tenant, ids: string[]): Promise<{ id: string; order_id: string }[]> {
  return await sql(db)<{ id: string; order_id: string }>`
    select * from (
      select r.id, ${findOrderOfMoney(db)} as order_id from receipts r ${findMoney(db)}
      where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} and r.id = any (${ids}::text[])
        and coalesce(r.booked_project_id, r.project_id) = r.project_id) paid
    where order_id is not null`;
}
