import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/**
 * Orders of ninety days, each with its link, most with a payment session: seven in ten paid, the others in every other state. Includes what
 * makes lists slow: a payment method that only the oldest orders used, a rare state, a currency of one order in a thousand, and metadata
 * that identifies a single order.
 */
export async function insertManyOrders(db: Db, tenant: Tenant, { count, until }: { count: number; until: Date }): Promise<void> {
  const { project_id, livemode } = tenant;
  await sql(db)`
    with made as (
      select n, lpad(n::text, 26, '0') as tail, ${until}::timestamptz - (${count}::int - n) * (interval '90 days' / ${count}::int) as at,
        case when n % 2000 = 7 then 'canceled' when n % 10 < 7 then 'paid' when n % 10 < 9 then 'expired' when n / 10 % 3 = 0 then 'failed'
          when n / 10 % 3 = 1 then 'unpaid' else 'pending_verify' end as status,
        case when n <= 60 then 'alipay' else 'wechatpay' end as gateway
      from generate_series(1, ${count}::int) n)
    insert into orders (project_id, livemode, id, reference, status, amount_minor, currency, exponent, amount_received_minor, description,
      customer, metadata, expires_at, paid_at, failed_at, canceled_at, failure_code, created_at, updated_at, paid_gateway)
    select ${project_id}, ${livemode}, 'ord_' || tail, 'INV-' || lpad(n::text, 6, '0'), status, 100 + n % 9000,
      case when n % 1000 = 3 then 'USD' else 'CNY' end, 2, case when status = 'paid' then 100 + n % 9000 else 0 end, 'Order ' || n,
      case when n % 3 = 0 then jsonb_build_object('email', 'buyer' || n || '@example.com', 'name', 'Buyer ' || n) else '{}'::jsonb end,
      jsonb_build_object('cart', n::text, 'plan', case when n % 500 = 9 then 'team' else 'pro' end),
      at + interval '30 minutes', case when status = 'paid' then at + interval '3 minutes' end,
      case when status = 'failed' then at + interval '5 minutes' end, case when status = 'canceled' then at + interval '1 minute' end,
      case when status = 'failed' then 'proof_rejected' end, at, at + interval '3 minutes',
      case when status = 'paid' then gateway end
    from made`;
  await sql(db)`
    insert into payment_links (project_id, livemode, id, order_id, token, created_at)
    select project_id, livemode, 'lnk_' || substr(id, 5), id, ${project_id} || substr(id, 5), created_at
    from orders where project_id = ${project_id} and livemode = ${livemode}`;
  await sql(db)`
    insert into payment_sessions (project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor,
      currency, expires_at, reported_at, verified_at, created_at, updated_at)
    select project_id, livemode, 'ps_' || substr(id, 5), id, paying.gateway, paying.gateway,
      case status when 'paid' then 'succeeded' else status end, amount_minor, amount_minor, currency, expires_at,
      created_at + interval '1 minute', paid_at, created_at, updated_at
    from orders, lateral (select case when substr(id, 5)::numeric <= 60 then 'alipay' else 'wechatpay' end as gateway) paying
    where project_id = ${project_id} and livemode = ${livemode} and status in ('paid', 'failed', 'pending_verify')`;
  // Orders of ninety days have long been vacuumed.
  await sql(db)`vacuum analyze orders, payment_links, payment_sessions`;
}
