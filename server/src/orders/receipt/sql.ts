import type { Account } from "#collection/index.ts";
import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The account that an order was last asked to pay into; null when it never was. */
export async function findAccountOfOrder(db: Db, tenant: Tenant, orderId: string): Promise<Account | null> {
  const [row] = await sql(db)<Account>`
    select a.merchant_id, a.livemode, a.channel, a.account_ref from askings a
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.order_id = ${orderId} order by a.updated_at desc, a.id desc limit 1`;
  return row ?? null;
}

/** An order of one of the merchant's projects, by its id. */
export async function findMerchantOrder(db: Db, given: { merchant_id: string; livemode: boolean; id: string }): Promise<(Tenant & { id: string }) | null> {
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
    where r.merchant_id = (select merchant_id from projects where id = ${tenant.project_id}) and r.livemode = ${tenant.livemode} and r.id = ${id}`;
  return row ?? null;
}

export interface Named {
  id: string;
  reference: string | null;
}

/** What a project's orders are called. */
export async function listReferences(db: Db, tenant: Tenant, ids: string[]): Promise<Named[]> {
  return await sql(db)<Named>`
    select id, reference from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${ids}::text[])`;
}

/** The orders that payments of a project are of. */
export async function listOrdersOfSessions(db: Db, tenant: Tenant, ids: string[]): Promise<{ id: string; order_id: string }[]> {
  return await sql(db)<{ id: string; order_id: string }>`
    select id, order_id from payment_sessions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${ids}::text[])`;
}
