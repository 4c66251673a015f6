import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { Channel } from "../channels.ts";

/** An account of a wallet that receives money; projects of one merchant may share it. */
export interface Account {
  merchant_id: string;
  livemode: boolean;
  channel: Channel;
  account_ref: string;
}

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  const { merchant_id, livemode, channel, account_ref } = account;
  await sql(tx)`
    insert into receiving_accounts (merchant_id, livemode, channel, account_ref, created_at)
    values (${merchant_id}, ${livemode}, ${channel}, ${account_ref}, app_now()) on conflict do nothing`;
}

/**
 * Locks an account until commit, so that only one receipt at a time looks for its match, and two sources of one transfer see each other.
 */
export async function lockAccountRow(tx: Tx, account: Account): Promise<boolean> {
  const { merchant_id, livemode, channel, account_ref } = account;
  const rows = await sql(tx)`
    select from receiving_accounts
    where merchant_id = ${merchant_id} and livemode = ${livemode} and channel = ${channel} and account_ref = ${account_ref}
    for no key update`;
  return rows.count === 1;
}

/**
 * Names of a merchant's accounts at a wallet. The merchant is locked until commit, so that two profiles don't take one name, or two names
 * for one code.
 */
export async function lockAccountRefs(tx: Tx, given: Omit<Account, "account_ref">): Promise<string[]> {
  await sql(tx)`select from merchants where id = ${given.merchant_id} for no key update`;
  const rows = await sql(tx)<{ account_ref: string }>`
    select account_ref from receiving_accounts
    where merchant_id = ${given.merchant_id} and livemode = ${given.livemode} and channel = ${given.channel} order by account_ref`;
  return rows.map((row) => row.account_ref);
}

/** The account of another of the merchant's profiles with the same code; null if no other has it. */
export async function findAccountOfCode(
  tx: Tx,
  given: Omit<Account, "account_ref"> & { qr_payload: string; besides: string },
): Promise<string | null> {
  const [row] = await sql(tx)<{ account_ref: string }>`
    -- all tenants: projects of one merchant share an account
    select c.account_ref from collection_profiles c join projects p on p.id = c.project_id
    where p.merchant_id = ${given.merchant_id} and c.livemode = ${given.livemode} and c.channel = ${given.channel}
      and c.qr_payload = ${given.qr_payload} and c.project_id <> ${given.besides}
    order by c.created_at limit 1`;
  return row?.account_ref ?? null;
}

/** The account of a project's receipts in a channel, and the project's merchant. */
export async function findOwnAccount(
  db: Db,
  tenant: Tenant,
  channel: Channel,
): Promise<{ merchant_id: string; account_ref: string | null } | null> {
  const [row] = await sql(db)<{ merchant_id: string; account_ref: string | null }>`
    select p.merchant_id, c.account_ref from projects p
    left join collection_profiles c on c.project_id = p.id and c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode}
      and c.channel = ${channel}
    where p.id = ${tenant.project_id}`;
  return row ?? null;
}

/**
 * Moves a project's recent reservations to the account that its code turned out to pay into. A reservation whose amount or code is also
 * held there keeps its window but not its hold, so that money that matches both waits for a person.
 */
export async function updateReservationAccounts(
  tx: Tx,
  tenant: Tenant,
  given: { channel: Channel; from: string; to: string },
): Promise<void> {
  await sql(tx)`
    update askings a set account_ref = ${given.to}, holding = a.holding and not exists (
      -- all tenants: projects of one merchant share an account
      select from askings o
      where o.merchant_id = a.merchant_id and o.livemode = a.livemode and o.channel = a.channel and o.account_ref = ${given.to}
        and o.holding
        and ((a.mode = 'unique_amount' and o.mode = a.mode and o.amount_minor = a.amount_minor)
          or (a.mode = 'remark' and o.mode = a.mode and o.code = a.code)))
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.channel = ${given.channel}
      and a.account_ref = ${given.from} and a.held_until > app_now() - interval '720 hours'`;
}
