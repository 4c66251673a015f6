import type { Db, Tenant } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

export interface Paid {
  order_id: string;
  session_id: string;
}

/** Opens payments at a gateway for orders that have none: as many as `count`, each as its start would have left it. */
export async function insertOpenPayments(db: Db, tenant: Tenant, given: { credentialId: string; count: number }): Promise<Paid[]> {
  const { credentialId, count } = given;
  const data = { type: "gateway", next_action: { type: "redirect", url: "https://checkout.example/c/pay/cs_test" } };
  const rows = await sql(db)<Paid>`
    insert into payment_sessions (project_id, livemode, id, order_id, gateway, method, method_data, account, status, amount_minor,
      payable_amount_minor, currency, expires_at, created_at, updated_at)
    select o.project_id, o.livemode, 'ps_' || substr(o.id, 5), o.id, 'stripe', 'stripe', ${sql(db).json(data)}::jsonb, ${credentialId},
      'pending', o.amount_minor, o.amount_minor, o.currency, o.expires_at, now(), now()
    from orders o where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.status = 'unpaid'
      and not exists (select from payment_sessions s where s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id)
    order by o.id limit ${count}
    returning order_id, id as session_id`;
  await sql(db)`
    insert into gateway_payments (project_id, livemode, id, payment_session_id, order_id, gateway, credential_id, status, provider_id,
      opened_at, due_at, created_at, updated_at)
    select s.project_id, s.livemode, 'gp_' || substr(s.id, 4), s.id, s.order_id, s.gateway, s.account, 'open', 'cs_test_' || s.id, now(),
      now() + interval '5 minutes', now(), now()
    from payment_sessions s where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.gateway = 'stripe'
      and not exists (select from gateway_payments g where g.project_id = s.project_id and g.livemode = s.livemode
        and g.payment_session_id = s.id)`;
  await sql(db)`vacuum (analyze) payment_sessions, gateway_payments`;
  return rows;
}

/** Orders without a payment attempt. */
export async function listUntouched(db: Db, tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select o.id from orders o where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.status = 'unpaid'
      and not exists (select from payment_sessions s where s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id)
    order by o.id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** The outcome of payments: how many orders are paid by them, and how many callbacks are recorded as applied. */
export async function countSettled(db: Db, tenant: Tenant): Promise<{ paid: number; applied: number }> {
  const [row] = await sql(db)<{ paid: number; applied: number }>`
    select (select count(*)::int from gateway_payments g
        join orders o on o.project_id = g.project_id and o.livemode = g.livemode and o.id = g.order_id
        where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} and g.settled_id is not null
          and o.status = 'paid') as paid,
      (select count(*)::int from gateway_callbacks
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and outcome = 'applied') as applied`;
  return row ?? { paid: 0, applied: 0 };
}

/** A transaction that writes a few bytes and waits for the disk. */
export async function commitOnce(db: Db): Promise<void> {
  await sql(db)`select pg_logical_emit_message(true, 'bench', 'x')`;
}
