import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** An account whose payments are compared. */
export type Account = Tenant & { credential_id: string };

/** The fields of our payment that a provider's list can refer to. */
export interface NamedPayment extends Tenant {
  id: string;
  payment_session_id: string;
  order_id: string;
  provider_id: string | null;
  earlier_ids: string[] | null;
  capture_id: string | null;
  settled_id: string | null;
  paid_minor: number | null;
  paid_currency: string | null;
  /** The provider's fee as it was reported with the payment; 0 if the buyer paid it. */
  fee_minor: number | null;
  exception_id: string | null;
  /** Whether its first money is booked: a person may have reversed it as never received. */
  is_booked: boolean;
  /** All of its money in the books, for whichever orders, in the currency in which it was reported. */
  booked_minor: number;
}

/** One subquery per payment by the key of its money: for an `exists`, PostgreSQL may read all rows into a hash first. */
const isBooked = (db: Db) => sql(db)`coalesce((select true from received_payments m
  where m.project_id = g.project_id and m.livemode = g.livemode and m.gateway = g.gateway and m.external_id = g.settled_id), false)`;

/** The first money and what was paid in addition, each read by its key. */
const bookedMinor = (db: Db) => sql(db)`(select coalesce(sum(m.amount_minor), 0)::bigint from received_payments m
  where m.project_id = g.project_id and m.livemode = g.livemode and m.gateway = g.gateway and m.currency = g.paid_currency
    and (m.external_id = g.settled_id or m.external_id > g.settled_id || '+' and m.external_id < g.settled_id || ','))`;

const names = (db: Db) => sql(db)`
  g.project_id, g.livemode, g.id, g.payment_session_id, g.order_id, g.provider_id, g.earlier_ids, g.capture_id, g.settled_id,
  g.paid_minor, g.paid_currency, g.fee_minor, g.exception_id, ${isBooked(db)} as is_booked,
  ${bookedMinor(db)} as booked_minor`;

/** Payments of an account that lines of its provider's list refer to, by any of their ids. */
export async function listNamedPayments(db: Db, account: Account, given: { references: string[]; ids: string[] }): Promise<NamedPayment[]> {
  return sql(db)<NamedPayment>`
    select ${names(db)} from gateway_payments g
    where g.project_id = ${account.project_id} and g.livemode = ${account.livemode} and g.credential_id = ${account.credential_id}
      and (g.payment_session_id = any (${given.references}::text[]) or g.capture_id = any (${given.ids}::text[])
        or g.provider_id = any (${given.ids}::text[]) or g.earlier_ids && ${given.ids}::text[])`;
}

/** The fields of our refund that a provider's list can refer to. */
export interface NamedRefund extends Tenant {
  id: string;
  order_id: string | null;
  payment_session_id: string | null;
  gateway: string;
  status: string;
  amount_minor: number;
  currency: string;
  gateway_refund_id: string | null;
}

const refundNames = (db: Db) =>
  sql(db)`
    r.project_id, r.livemode, r.id, r.order_id, r.payment_session_id, r.gateway, r.status, r.amount_minor, r.currency, r.gateway_refund_id`;

/** Refunds by our reference or by the provider's id. */
export async function listNamedRefunds(db: Db, account: Account, given: { references: string[]; ids: string[] }): Promise<NamedRefund[]> {
  return sql(db)<NamedRefund>`
    select ${refundNames(db)} from refunds r
    where r.project_id = ${account.project_id} and r.livemode = ${account.livemode}
      and (r.id = any (${given.references}::text[]) or r.gateway_refund_id = any (${given.ids}::text[]))`;
}

/** A payment with the provider's data about its money; one that a person found there may have none. */
type PaidPayment = NamedPayment & { paid_minor: number; paid_currency: string };

/** Booked payments that their provider should have listed and didn't, and that weren't reported yet; the longest paid first. */
export async function listUnlistedPayments(
  db: Db,
  account: Account,
  given: { from: Date; until: Date; limit: number },
): Promise<PaidPayment[]> {
  return sql(db)<PaidPayment>`
    select ${names(db)} from gateway_payments g
    where g.project_id = ${account.project_id} and g.livemode = ${account.livemode} and g.credential_id = ${account.credential_id}
      and g.settled_id is not null and g.listed_at is null and g.paid_minor is not null and ${isBooked(db)}
      and coalesce(g.paid_at, g.created_at) >= ${given.from} and coalesce(g.paid_at, g.created_at) < ${given.until}
      and not exists (select from gateway_differences d where d.project_id = g.project_id and d.livemode = g.livemode
        and d.credential_id = g.credential_id and d.key = 'unlisted:' || g.payment_session_id)
    order by coalesce(g.paid_at, g.created_at) limit ${given.limit}`;
}

/** Like `listUnlistedPayments`, for refunds requested from the provider. */
export async function listUnlistedRefunds(
  db: Db,
  account: Account,
  given: { from: Date; until: Date; limit: number },
): Promise<NamedRefund[]> {
  return sql(db)<NamedRefund>`
    select ${refundNames(db)} from refunds r
    join gateway_payments g on g.project_id = r.project_id and g.livemode = r.livemode and g.payment_session_id = r.payment_session_id
    where r.project_id = ${account.project_id} and r.livemode = ${account.livemode} and g.credential_id = ${account.credential_id}
      and r.method = 'gateway' and r.status = 'succeeded' and r.listed_at is null and r.succeeded_at >= ${given.from}
      and r.succeeded_at < ${given.until}
      and not exists (select from gateway_differences d where d.project_id = r.project_id and d.livemode = r.livemode
        and d.credential_id = g.credential_id and d.key = 'unlisted:' || r.id)
    order by r.succeeded_at limit ${given.limit}`;
}

/** Records a difference; false if it was already reported. */
export async function insertDifference(tx: Tx, account: Account, key: string): Promise<boolean> {
  const rows = await sql(tx)`
    insert into gateway_differences (project_id, livemode, credential_id, key, found_at)
    values (${account.project_id}, ${account.livemode}, ${account.credential_id}, ${key}, app_now()) on conflict do nothing`;
  return rows.count === 1;
}
