import { type Db, sql } from "#platform/sql.ts";
import type { Remembered } from "./till.ts";

/** What was requested on all accounts of a merchant's WeChat wallet. */
export async function listRemembered(db: Db, merchantId: string): Promise<Remembered[]> {
  return sql(db)<Remembered>`
    select id as reservation, mode, amount_minor as amount, nominal_minor as nominal, code,
      order_id as "order", asked_from as "from", held_until as "heldUntil"
    from askings where merchant_id = ${merchantId} and channel = 'wechat' order by id`;
}

/** The orders that receipts paid, are linked to or are held for. */
export async function listBookedOrders(db: Db, receiptIds: string[]): Promise<{ id: string; order_id: string | null }[]> {
  return sql(db)<{ id: string; order_id: string | null }>`
    select r.id, coalesce(m.order_id, e.order_id) as order_id from receipts r
    left join received_payments m on m.project_id = r.booked_project_id and m.livemode = r.livemode and m.gateway = 'wechatpay'
      and m.external_id = r.booked_external_id
    left join payment_exceptions e on e.livemode = r.livemode and e.id = r.exception_id
    where r.id = any (${receiptIds}::text[])`;
}
