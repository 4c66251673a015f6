import type { Account, Channel, Statement } from "#collection/index.ts";
import type { Tenant } from "#platform/index.ts";
import { type Db, sql, type Tx } from "#platform/sql.ts";
import { findMoney, findOrderOfMoney } from "../sql.ts";
import type { ImportResult } from "./count-rows.ts";

export interface PreviewRow extends Tenant {
  id: string;
  channel: Channel;
  account_ref: string | null;
  file_sha256: string;
  statement: Statement | null;
  result: ImportResult | null;
  created_by: string;
  created_at: Date;
  expires_at: Date;
}

/** Writes a preview and removes the tenant's oldest beyond `keep`, because each holds a whole statement. */
export async function insertPreview(
  tx: Tx,
  row: Omit<PreviewRow, "statement" | "result"> & { statement: string },
  keep: number,
): Promise<void> {
  await sql(tx)`
    insert into statement_previews (project_id, livemode, id, channel, account_ref, file_sha256, statement,
      created_by, created_at, expires_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.account_ref}, ${row.file_sha256},
      ${row.statement}::text::jsonb, ${row.created_by}, ${row.created_at}, ${row.expires_at})`;
  await sql(tx)`
    delete from statement_previews where project_id = ${row.project_id} and livemode = ${row.livemode} and id not in (
      select id from statement_previews where project_id = ${row.project_id} and livemode = ${row.livemode} order by id desc
        limit ${keep})`;
}

export async function findPreview(db: Db, tenant: Tenant, given: { id: string }): Promise<PreviewRow | null> {
  const [row] = await sql(db)<PreviewRow>`
    select project_id, livemode, id, channel, account_ref, file_sha256, statement, result, created_by, created_at, expires_at
    from statement_previews
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${given.id} and expires_at > app_now()`;
  return row ?? null;
}

/** False if another request is applying it, or has. */
export async function updateApplying(tx: Tx, tenant: Tenant, given: { id: string; by: string; apply_ms: number }): Promise<boolean> {
  const rows = await sql(tx)`
    update statement_previews set applying_until = app_now() + ${given.apply_ms} * interval '1 millisecond', applying_by = ${given.by}
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${given.id} and result is null
      and (applying_until is null or applying_until <= app_now() or applying_by = ${given.by})`;
  return rows.count === 1;
}

/** Writes the result and removes the file's content; without a result it can be applied again. False if it already has a result. */
export async function updateApplied(tx: Tx, tenant: Tenant, given: { id: string; result: string | null }): Promise<boolean> {
  const rows = await sql(tx)`
    update statement_previews set applying_until = null, result = ${given.result}::text::jsonb,
      statement = case when ${given.result}::text is null then statement end
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${given.id} and result is null`;
  return rows.count === 1;
}

/** Removes expired previews, at most `limit`; returns how many. */
export async function deleteOldPreviews(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: the worker that tidies up
    delete from statement_previews where (project_id, livemode, id) in (
      select project_id, livemode, id from statement_previews where expires_at <= app_now() order by expires_at limit ${limit})`;
  return rows.count;
}

export interface KnownReceipt extends Tenant {
  id: string;
  external_key: string;
  amount_minor: number;
  occurred_at: Date;
  payer_hint: string | null;
  order_id: string | null;
}

/** Receipts with these numbers, in any of the merchant's projects, with the order that each paid. */
export async function listReceiptsOfKeys(db: Db, account: Account, keys: string[]): Promise<KnownReceipt[]> {
  return await sql(db)<KnownReceipt>`
    -- all tenants: a transfer's number is one merchant's once, in whichever project
    select r.project_id, r.livemode, r.id, r.external_key, r.amount_minor, r.occurred_at, r.payer_hint, ${findOrderOfMoney(db)} as order_id
    from receipts r ${findMoney(db)}
    where r.merchant_id = ${account.merchant_id} and r.livemode = ${account.livemode} and r.channel = ${account.channel}
      and r.external_key = any (${keys}::text[])`;
}

/**
 * Receipts of an account from these payers, of the last weeks before a day, with the order that each paid: candidates for a refund without
 * a number.
 */
export async function listReceiptsOfPayers(db: Db, account: Account, given: { payers: string[]; since: Date }): Promise<KnownReceipt[]> {
  return await sql(db)<KnownReceipt>`
    -- all tenants: projects of one merchant share an account
    select r.project_id, r.livemode, r.id, coalesce(r.external_key, '') as external_key, r.amount_minor, r.occurred_at, r.payer_hint,
      ${findOrderOfMoney(db)} as order_id
    from receipts r ${findMoney(db)}
    where r.merchant_id = ${account.merchant_id} and r.livemode = ${account.livemode} and r.channel = ${account.channel}
      and r.account_ref = ${account.account_ref} and r.payer_hint = any (${given.payers}::text[]) and r.occurred_at >= ${given.since}
      and r.twin_id is null
    order by r.occurred_at desc limit 2000`;
}
