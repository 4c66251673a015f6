import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/**
 * A refund that a person recorded after making it at the provider, of a payment's order and of exactly this amount, which no line has
 * matched yet: from now on it has the provider's id. One with a number of the line's comes first. One with another number, or without one
 * and paid back in another way, is another refund.
 */
export async function updateRefundNamed(
  tx: Tx,
  payment: Tenant & { order_id: string },
  line: { gateway: string; amount_minor: number; currency: string; refundId: string; numbers: readonly string[] },
): Promise<string | null> {
  const [row] = await sql(tx)<{ id: string }>`
    update refunds set gateway_refund_id = ${line.refundId}
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and id = (
      select r.id from refunds r
      where r.project_id = ${payment.project_id} and r.livemode = ${payment.livemode} and r.order_id = ${payment.order_id}
        and r.gateway = ${line.gateway}
        and r.method = 'manual' and r.status = 'succeeded' and r.gateway_refund_id is null and r.amount_minor = ${line.amount_minor}
        and r.currency = ${line.currency}
        and (r.external_transaction_id = any (${line.numbers}::text[]) or (r.external_transaction_id is null and r.channel = 'other'))
      order by r.external_transaction_id is null, r.id limit 1 for no key update)
    returning id`;
  return row?.id ?? null;
}

/** Records that the provider listed our payments and refunds. */
export async function updateListed(tx: Tx, account: Tenant, given: { payments: string[]; refunds: string[] }): Promise<void> {
  if (given.payments.length > 0)
    await sql(tx)`
      update gateway_payments set listed_at = app_now()
      where project_id = ${account.project_id} and livemode = ${account.livemode} and id = any (${given.payments}::text[])
        and listed_at is null`;
  if (given.refunds.length > 0)
    await sql(tx)`
      update refunds set listed_at = app_now()
      where project_id = ${account.project_id} and livemode = ${account.livemode} and id = any (${given.refunds}::text[])
        and listed_at is null`;
}

/** Stores the fees that the provider's list tells of payments that have none. */
export async function updateListedFees(
  tx: Tx,
  tenant: Tenant,
  fees: readonly { id: string; amount_minor: number; currency: string }[],
): Promise<void> {
  await sql(tx)`
    update gateway_payments g set fee_minor = given.amount_minor, fee_currency = given.currency, updated_at = app_now()
    from unnest(${fees.map(({ id }) => id)}::text[], ${fees.map((fee) => fee.amount_minor)}::bigint[],
      ${fees.map(({ currency }) => currency)}::text[]) as given (id, amount_minor, currency)
    where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} and g.id = given.id and g.fee_minor is null`;
}
