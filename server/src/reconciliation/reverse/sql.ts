import { type Account, methodOfChannel, personalMethodOf } from "#collection/index.ts";
import type { ReceivedRow } from "#orders/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export type ReversalCause = "not_received" | "other_order";

/** Records that money was booked by mistake; the next booking of its number gets another name in the ledger. The row is locked. */
export async function insertReversedPayment(
  tx: Tx,
  piece: ReceivedRow,
  given: { order_id: string; cause: ReversalCause; note: string; exception_id: string | null; by: string },
): Promise<void> {
  await sql(tx)`
    insert into reversed_payments (project_id, livemode, gateway, external_id, attempt, order_id, payment_session_id, receipt_id,
      amount_minor, currency, source, cause, note, exception_id, occurred_at, created_by, created_at)
    select ${piece.project_id}, ${piece.livemode}, ${piece.gateway}, ${piece.external_id}, count(*) + 1, ${given.order_id},
      ${piece.payment_session_id}, ${piece.receipt_id}, ${piece.amount_minor}, ${piece.currency}, ${piece.source}, ${given.cause},
      ${given.note}, ${given.exception_id}, ${piece.occurred_at}, ${given.by}, app_now()
    from reversed_payments
    where project_id = ${piece.project_id} and livemode = ${piece.livemode} and gateway = ${piece.gateway}
      and external_id = ${piece.external_id}`;
}

type Shown = Account & Tenant & { id: string };

/** The receipts of a booking, the one that booked it first, or of its set, in any of the merchant's projects. */
export async function listReceiptsOfPiece(
  db: Db,
  piece: Pick<ReceivedRow, "project_id" | "livemode" | "gateway" | "external_id" | "set_id">,
): Promise<Shown[]> {
  const channel = personalMethodOf(piece.gateway)?.channel ?? null;
  if (channel === null) return [];
  return sql(db)<Shown>`
    -- all tenants: projects of one merchant share an account
    select r.project_id, r.livemode, r.id, r.merchant_id, r.channel, r.account_ref from receipts r
    where r.merchant_id = (select merchant_id from projects where id = ${piece.project_id}) and r.livemode = ${piece.livemode}
      and r.channel = ${channel} and r.twin_id is null and r.status in ('matched', 'linked')
      and (r.booked_project_id = ${piece.project_id} and r.booked_external_id = ${piece.external_id} or r.set_id = ${piece.set_id ?? null})
    order by r.status = 'matched' desc, r.id`;
}

/** The accounts of the receipts that show an order's payments, always in the same order. */
export async function listAccountsOfReceipts(db: Db, order: Tenant & { id: string }): Promise<Account[]> {
  const rows = await sql(db)<Account & { gateway: string }>`
    -- all tenants: projects of one merchant share an account
    select distinct r.merchant_id, r.livemode, r.channel, r.account_ref, m.gateway from received_payments m
    join receipts r on r.merchant_id = m.merchant_id and r.livemode = m.livemode
      and (r.booked_project_id = m.project_id and r.booked_external_id = m.external_id or r.set_id = m.set_id)
    where m.project_id = ${order.project_id} and m.livemode = ${order.livemode} and m.order_id = ${order.id}
    order by r.channel, r.account_ref`;
  return rows.filter(({ channel, gateway }) => methodOfChannel(channel).gateway === gateway).map(({ gateway: _of, ...account }) => account);
}
