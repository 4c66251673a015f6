import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { Account } from "../account/sql.ts";
import type { MatchingMode } from "../profile/sql.ts";
import type { NearAmount } from "./choose-amount.ts";

/** What was requested for an order on an account, and from when until when that identifies a transfer as this order's. */
export interface ReservationRow extends Tenant, Account {
  id: string;
  order_id: string;
  mode: MatchingMode;
  amount_minor: number;
  nominal_minor: number;
  code: string | null;
  is_fallback: boolean;
  asked_from: Date;
  asked_until: Date;
  held_until: Date;
  holding: boolean;
  created_at: Date;
  updated_at: Date;
}

const reservationColumns: ColumnsOf<ReservationRow> = columns(
  "askings",
  `
  project_id, livemode, id, merchant_id, channel, account_ref, order_id, mode, amount_minor, nominal_minor, code, is_fallback, asked_from,
  asked_until, held_until, holding, created_at, updated_at`,
);

/** False if another order holds this amount or code on the account. Waits for a transaction that is taking it. */
export async function insertReservation(tx: Tx, row: ReservationRow): Promise<boolean> {
  const rows = await sql(tx)`
    insert into askings (project_id, livemode, id, merchant_id, channel, account_ref, order_id, mode, amount_minor, nominal_minor, code,
      is_fallback, asked_from, asked_until, held_until, holding, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.merchant_id}, ${row.channel}, ${row.account_ref}, ${row.order_id},
      ${row.mode}, ${row.amount_minor}, ${row.nominal_minor}, ${row.code}, ${row.is_fallback}, ${row.asked_from}, ${row.asked_until},
      ${row.held_until}, ${row.holding}, ${row.created_at}, ${row.updated_at})
    on conflict do nothing`;
  return rows.count === 1;
}

/** Ends an expired hold on an amount or code, so that it can be requested for another order. Its row doesn't change otherwise. */
export async function updateEndedHolds(tx: Tx, account: Account, given: { amount: number | null; code: string | null }): Promise<void> {
  await sql(tx)`
    -- all tenants: projects of one merchant share an account
    update askings set holding = false
    where merchant_id = ${account.merchant_id} and livemode = ${account.livemode} and channel = ${account.channel}
      and account_ref = ${account.account_ref}
      and holding and held_until <= app_now()
      and ((mode = 'unique_amount' and amount_minor = ${given.amount}) or (mode = 'remark' and code = ${given.code}))`;
}

/** The order's newest reservation on an account that still holds. */
export async function findHold(
  tx: Tx,
  tenant: Tenant,
  given: { order_id: string; account: Account; nominal_minor: number },
): Promise<ReservationRow | null> {
  const { account } = given;
  const [row] = await sql(tx)<ReservationRow>`
    select ${reservationColumns} from askings
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.order_id}
      and channel = ${account.channel} and account_ref = ${account.account_ref} and nominal_minor = ${given.nominal_minor}
      and holding and held_until > app_now()
    order by id desc limit 1`;
  return row ?? null;
}

/** The reservation by which an order holds a code on an account. */
export async function findHeldCode(tx: Tx, tenant: Tenant, given: { order_id: string; account: Account }): Promise<ReservationRow | null> {
  const { account } = given;
  const [row] = await sql(tx)<ReservationRow>`
    select ${reservationColumns} from askings
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.order_id}
      and channel = ${account.channel} and account_ref = ${account.account_ref} and mode = 'remark' and holding and held_until > app_now()
    order by id desc limit 1`;
  return row ?? null;
}

/** Ends the hold of a reservation whose code the order's next one takes over in the same transaction. Its window doesn't change. */
export async function updateHandedOver(tx: Tx, row: ReservationRow): Promise<void> {
  await sql(tx)`update askings set holding = false where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}

/** What was recently requested or owed near an amount: one row per amount. */
export async function listNearAmounts(tx: Tx, account: Account, given: { low: number; high: number }): Promise<NearAmount[]> {
  const { merchant_id, livemode, channel, account_ref } = account;
  return sql(tx)<NearAmount>`
    -- all tenants: projects of one merchant share an account
    select amount, max(held_until) as taken_until, max(asked_until) filter (where not is_nominal) as asked_until,
      max(asked_until) filter (where is_nominal) as nominal_until
    from (
      select amount_minor as amount, held_until, asked_until, false as is_nominal from askings
      where merchant_id = ${merchant_id} and livemode = ${livemode} and channel = ${channel} and account_ref = ${account_ref}
        and amount_minor between ${given.low} and ${given.high} and held_until > app_now() - interval '720 hours'
      union all
      select nominal_minor, held_until, asked_until, true from askings
      where merchant_id = ${merchant_id} and livemode = ${livemode} and channel = ${channel} and account_ref = ${account_ref}
        and nominal_minor between ${given.low} and ${given.high} and held_until > app_now() - interval '720 hours') near
    group by amount`;
}

/** The prices of a project for which a distinct amount is currently requested. */
export async function listHeldPrices(db: Db, tenant: Tenant, given: { account: Account }): Promise<number[]> {
  const { merchant_id, channel, account_ref } = given.account;
  const rows = await sql(db)<{ nominal_minor: number }>`
    select distinct nominal_minor from askings
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and merchant_id = ${merchant_id} and channel = ${channel}
      and account_ref = ${account_ref} and holding and mode = 'unique_amount' and held_until > app_now()
    order by nominal_minor limit 1000`;
  return rows.map(({ nominal_minor }) => nominal_minor);
}

/** How many amounts of each range are currently requested or owed on an account. */
export async function countTakenAmounts(
  db: Db,
  account: Account,
  given: { ranges: { nominal: number; low: number; high: number }[] },
): Promise<{ nominal: number; taken: number }[]> {
  const { merchant_id, livemode, channel, account_ref } = account;
  const { ranges } = given;
  return sql(db)<{ nominal: number; taken: number }>`
    -- all tenants: projects of one merchant share an account
    select r.nominal, count(*)::int as taken
    from unnest(${ranges.map(({ nominal }) => nominal)}::bigint[], ${ranges.map(({ low }) => low)}::bigint[],
      ${ranges.map(({ high }) => high)}::bigint[]) as r (nominal, low, high)
    cross join lateral (
      select amount_minor as amount from askings
      where merchant_id = ${merchant_id} and livemode = ${livemode} and channel = ${channel} and account_ref = ${account_ref}
        and amount_minor between r.low and r.high and held_until > app_now()
      union
      select nominal_minor from askings
      where merchant_id = ${merchant_id} and livemode = ${livemode} and channel = ${channel} and account_ref = ${account_ref}
        and nominal_minor between r.low and r.high and held_until > app_now()) near
    group by r.nominal`;
}

/**
 * Reservations of an account that money with these amounts or codes could match, whose window, extended by `leadMs` before it, overlaps the
 * span.
 */
export function listReservations<On extends Db | Pipe>(
  db: On,
  account: Account,
  given: { amounts: number[]; codes: string[]; from: Date; to: Date; limit: number },
): Sent<On, ReservationRow[]> {
  return send(
    db,
    sql(db)<ReservationRow>`
    -- all tenants: projects of one merchant share an account
    select ${reservationColumns} from askings
    where merchant_id = ${account.merchant_id} and livemode = ${account.livemode} and channel = ${account.channel}
      and account_ref = ${account.account_ref}
      and (amount_minor = any (${given.amounts}::bigint[]) or nominal_minor = any (${given.amounts}::bigint[])
        or code = any (${given.codes}::text[]))
      and held_until > ${given.from} and asked_from <= ${given.to}
    order by asked_from desc limit ${given.limit}`,
    (rows) => rows,
  );
}

/** All reservations of an order on an account. */
export async function listReservationsOfOrder(
  db: Db,
  account: Account,
  order: { project_id: string; id: string },
): Promise<ReservationRow[]> {
  return sql(db)<ReservationRow>`
    select ${reservationColumns} from askings
    where project_id = ${order.project_id} and livemode = ${account.livemode} and order_id = ${order.id} and channel = ${account.channel}
      and account_ref = ${account.account_ref}
    order by id`;
}
