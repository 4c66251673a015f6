import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";

/** A received payment when it was first recorded. */
export interface ReceivedRow extends Tenant {
  gateway: string;
  external_id: string;
  order_id: string | null;
  payment_session_id: string | null;
  source: string;
  outcome: "paid" | "underpaid" | "exception";
  exception_id: string | null;
  receipt_id: string | null;
  amount_minor: number;
  currency: string;
  occurred_at: Date;
  created_at: Date;
  set_id?: string | null;
}

export const receivedColumns: ColumnsOf<ReceivedRow> = columns(
  "received_payments",
  `
  project_id, livemode, gateway, external_id, order_id, payment_session_id, source, outcome, exception_id, receipt_id, amount_minor,
  currency, occurred_at, created_at, merchant_id, external_key, has_known_number, set_id`,
);

/** Identifies a received payment among those of any tenants. */
export function nameOfReceived(row: Pick<ReceivedRow, "project_id" | "livemode" | "gateway" | "external_id">): string {
  return `${row.project_id} ${row.livemode} ${row.gateway} ${row.external_id}`;
}

/**
 * Writes pieces of money of any tenants and answers, by `nameOfReceived`, those that are new, with how often their number was booked and
 * reversed before: a number is known also from another project of the merchant where the channel is personal. A concurrent first one is
 * waited for.
 */
export async function insertReceived(tx: Tx, rows: readonly ReceivedRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const made = await sql(tx)<Pick<ReceivedRow, "project_id" | "livemode" | "gateway" | "external_id"> & { reversals: number }>`
    insert into received_payments (project_id, livemode, gateway, external_id, order_id, payment_session_id, source, outcome, exception_id,
      receipt_id, amount_minor, currency, occurred_at, created_at)
    select project_id, livemode, gateway, external_id, order_id, payment_session_id, source, outcome, exception_id, receipt_id,
      amount_minor, currency, occurred_at, created_at
    from jsonb_to_recordset(${sql(tx).json(rows)}) as given (project_id text, livemode boolean, gateway text, external_id text,
      order_id text, payment_session_id text, source text, outcome text, exception_id text, receipt_id text, amount_minor bigint,
      currency text, occurred_at timestamptz, created_at timestamptz)
    order by project_id, livemode, gateway, external_id
    on conflict do nothing
    returning project_id, livemode, gateway, external_id, (select count(*) from reversed_payments p
      where p.project_id = received_payments.project_id and p.livemode = received_payments.livemode
        and p.gateway = received_payments.gateway and p.external_id = received_payments.external_id) as reversals`;
  return new Map(made.map((row) => [nameOfReceived(row), row.reversals]));
}

/**
 * The piece of money with an external id. Numbers of personal channels are compared as their `key`, across the projects of the merchant:
 * then the row may be another project's.
 */
export async function findReceived(
  db: Db,
  tenant: Tenant,
  given: { gateway: string; externalId: string; key: string | null },
): Promise<ReceivedRow | null> {
  const [row] = await sql(db)<ReceivedRow>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    select ${receivedColumns} from received_payments
    where (project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
        and external_id = ${given.externalId})
      or (merchant_id = (select merchant_id from projects where id = ${tenant.project_id}) and livemode = ${tenant.livemode}
        and gateway = ${given.gateway} and external_key = ${given.key})
    order by project_id = ${tenant.project_id} desc limit 1`;
  return row ?? null;
}

/**
 * The money of a provider's payment in the books, for whichever orders: its first, with this number, and what was paid in addition. Locked,
 * because the reversal of another order may take some of it, and what a report adds depends on what stays.
 */
export async function lockPieces(
  tx: Tx,
  tenant: Tenant,
  { gateway, number }: { gateway: string; number: string },
): Promise<Pick<ReceivedRow, "external_id" | "amount_minor" | "currency">[]> {
  return sql(tx)<Pick<ReceivedRow, "external_id" | "amount_minor" | "currency">>`
    select external_id, amount_minor, currency from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${gateway}
      and (external_id = ${number} or external_id > ${`${number}+`} and external_id < ${`${number},`})
    order by external_id for no key update`;
}

/** Whether money with this number arrived for an order, through any gateway. */
export async function findReceivedOfOrder(tx: Tx, order: Tenant & { id: string }, externalId: string): Promise<boolean> {
  const rows = await sql(tx)`
    select from received_payments
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and external_id = ${externalId}`;
  return rows.length > 0;
}

/** Writes the result of a received payment once the order's part of it is known. */
export async function updateReceivedOutcome(tx: Tx, row: ReceivedRow): Promise<void> {
  await sql(tx)`
    update received_payments set outcome = ${row.outcome}, exception_id = ${row.exception_id}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and gateway = ${row.gateway} and external_id = ${row.external_id}`;
}

/** Links a receipt to the settled payment that it shows; false if another receipt was faster. */
export async function updateReceivedReceipt(
  tx: Tx,
  tenant: Tenant,
  given: { gateway: string; externalId: string; receiptId: string },
): Promise<boolean> {
  const rows = await sql(tx)`
    update received_payments set receipt_id = ${given.receiptId}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId} and receipt_id is null`;
  return rows.count === 1;
}

/** Unlinks a receipt from its payment. */
export async function updateReceivedUnlinked(
  tx: Tx,
  tenant: Tenant,
  given: { gateway: string; externalId: string; receiptId: string },
): Promise<void> {
  await sql(tx)`
    update received_payments set receipt_id = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId} and receipt_id = ${given.receiptId}`;
}

/** Undoes a set: its payments have no receipt again. */
export async function updateReceivedOfSet(tx: Tx, merchant: { merchant_id: string; livemode: boolean }, setId: string): Promise<void> {
  await sql(tx)`
    -- all tenants: a set may span projects of one merchant that share an account
    update received_payments set set_id = null where merchant_id = ${merchant.merchant_id} and livemode = ${merchant.livemode}
      and set_id = ${setId}`;
}

/** The orders of the payments in a set. */
export async function listProjectsOfSet(db: Db, merchant: { merchant_id: string; livemode: boolean }, setId: string): Promise<string[]> {
  const rows = await sql(db)<{ project_id: string }>`
    -- all tenants: a set may span projects of one merchant that share an account
    select distinct project_id from received_payments
    where merchant_id = ${merchant.merchant_id} and livemode = ${merchant.livemode} and set_id = ${setId}`;
  return rows.map((row) => row.project_id);
}

/** Adds a payment to a set: one of several approved transfers, without individual assignments. */
export async function updateReceivedSet(
  tx: Tx,
  tenant: Tenant,
  given: { gateway: string; externalId: string; setId: string | null },
): Promise<void> {
  await sql(tx)`
    update received_payments set set_id = ${given.setId}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId}`;
}

/** A booking, locked until commit. */
export async function lockReceived(tx: Tx, tenant: Tenant, given: { gateway: string; externalId: string }): Promise<ReceivedRow | null> {
  const [row] = await sql(tx)<ReceivedRow>`
    select ${receivedColumns} from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId}
    for no key update`;
  return row ?? null;
}

/** Locks money by its numbers until commit, always in the same order; returns the numbers that are in the books. */
export async function lockBooked(tx: Tx, tenant: Tenant, given: { gateway: string; numbers: readonly string[] }): Promise<string[]> {
  const rows = await sql(tx)<{ external_id: string }>`
    select external_id from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = any (${given.numbers}::text[])
    order by external_id for no key update`;
  return rows.map(({ external_id }) => external_id);
}

/** Removes a booking from its order: an exception holds it since. */
export async function updateReceivedHeld(
  tx: Tx,
  tenant: Tenant,
  given: { gateway: string; externalId: string; exceptionId: string; receiptId: string | null },
): Promise<void> {
  await sql(tx)`
    update received_payments set outcome = 'exception', exception_id = ${given.exceptionId}, order_id = null, payment_session_id = null,
      receipt_id = ${given.receiptId}, set_id = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId}`;
}

/** Deletes a reversed payment, so that its number can be booked again. The ledger keeps its transfers. */
export async function deleteReceived(tx: Tx, tenant: Tenant, given: { gateway: string; externalId: string }): Promise<void> {
  await sql(tx)`
    delete from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and external_id = ${given.externalId}`;
}

/** Today's settled personal-QR money of a channel, for the profile's daily limit. */
export async function findReceivedSince(tx: Tx, tenant: Tenant, given: { gateway: string; since: Date }): Promise<number> {
  const [row] = await sql(tx)<{ total: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as total from received_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and gateway = ${given.gateway}
      and occurred_at >= ${given.since}`;
  return row?.total ?? 0;
}
