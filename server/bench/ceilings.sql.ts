import type { Db, Tenant } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** Tokens and ids of orders that can still be paid, spread over the whole table. */
export async function listSample(db: Db, tenant: Tenant, limit: number): Promise<{ id: string; token: string }[]> {
  return await sql(db)<{ id: string; token: string }>`
    select o.id, l.token from orders o
    join payment_links l on l.project_id = o.project_id and l.livemode = o.livemode and l.order_id = o.id
    where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.status = 'unpaid'
    order by md5(o.id) limit ${limit}`;
}

/** Fills a project up to `to` orders, each with its link, like old ones. */
export async function insertManyOrders(db: Db, tenant: Tenant, given: { from: number; to: number; now: Date }): Promise<void> {
  const { from, to, now } = given;
  await sql(db)`
    insert into orders (project_id, livemode, id, reference, amount_minor, currency, exponent, description, metadata, customer, return_url,
      locale, expires_at, created_at, updated_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'ord_00' || lpad(n::text, 24, '0'), 'OLD-' || n, 9900, 'CNY', 2, 'Three months',
      '{"subscription_id":"sub_42","plan":"pro","billing_period":"2026-11"}'::jsonb, '{"email":"ada@example.com"}'::jsonb, null, 'auto',
      ${now}::timestamptz + interval '30 days', ${now}::timestamptz - n * interval '1 second', ${now}
    from generate_series(${from}::int, ${to}::int) as n`;
  await sql(db)`
    insert into payment_links (project_id, livemode, id, order_id, token, created_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'lnk_00' || lpad(n::text, 24, '0'), 'ord_00' || lpad(n::text, 24, '0'),
      'pl_test_' || md5(n::text), ${now}
    from generate_series(${from}::int, ${to}::int) as n`;
  // Old rows have been vacuumed: that work of the database must not affect what is measured next.
  await sql(db)`vacuum (analyze) orders, payment_links`;
}

/** A script for pgbench: what one `POST orders` with an Idempotency-Key leaves in the database, as one statement. */
export function writeOrderScript({ project_id, livemode }: Tenant): string {
  const tenant = `'${project_id}', ${livemode}`;
  return `\\set n random(1, 9000000000000000000)
with made as (
  insert into orders (project_id, livemode, id, reference, amount_minor, currency, exponent, description, metadata, customer, locale,
    expires_at, created_at, updated_at)
  values (${tenant}, 'ord_' || lpad(:n::text, 26, '0'), 'P-' || :n, 9900, 'CNY', 2, 'Three months',
    '{"subscription_id":"sub_42","plan":"pro","billing_period":"2026-11"}', '{"email":"ada@example.com"}', 'auto', now() + interval '1 day',
    now(), now())
  returning id, created_at
), linked as (
  insert into payment_links (project_id, livemode, id, order_id, token, created_at)
  select ${tenant}, 'lnk_' || lpad(:n::text, 26, '0'), id, 'pl_test_' || md5(:n::text), created_at from made
), told as (
  insert into events (id, project_id, livemode, event, object_id, body, created_at)
  select 'evt_' || lpad(:n::text, 26, '0'), ${tenant}, 'order.created', id,
    convert_to(json_build_object('event', 'order.created', 'data', json_build_object('id', id, 'amount_minor', 9900, 'currency', 'CNY',
      'description', 'Three months', 'metadata', json_build_object('subscription_id', 'sub_42', 'plan', 'pro', 'billing_period', '2026-11'),
      'created_at', created_at))::text, 'UTF8'), created_at
  from made
)
insert into idempotency_keys (project_id, livemode, method, path, key, fingerprint, result, created_at)
select ${tenant}, 'POST', '/orders', 'k-' || :n, md5(:n::text), id, created_at from made;
`;
}
