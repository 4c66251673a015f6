import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Orders that wait for a review, reported a second apart and in another order than they were created; as many more were decided. */
export async function insertWaitingOrders(db: Db, tenant: Tenant, { count, since }: { count: number; since: Date }): Promise<void> {
  const { project_id, livemode } = tenant;
  await sql(db)`
    insert into orders (project_id, livemode, id, reference, status, amount_minor, currency, exponent, metadata, customer, expires_at,
      created_at, updated_at)
    select ${project_id}, ${livemode}, 'ord_' || lpad(n::text, 26, '0'), 'INV-' || n,
      case when n <= ${count}::int then 'pending_verify' else 'failed' end, 9900, 'CNY', 2, '{}', '{}', ${since}, ${since}, ${since}
    from generate_series(1, 2 * ${count}::int) n`;
  await sql(db)`
    insert into payment_sessions (project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor,
      currency, expires_at, reported_at, created_at, updated_at)
    select project_id, livemode, 'ps_' || substr(id, 5), id, 'wechatpay', 'wechat', status, amount_minor, amount_minor, currency,
      expires_at, created_at + make_interval(secs => (substr(id, 5)::bigint * 7919) % (2 * ${count}::int)), created_at, updated_at
    from orders where project_id = ${project_id} and livemode = ${livemode}`;
  await sql(db)`vacuum analyze orders, payment_sessions`;
}
