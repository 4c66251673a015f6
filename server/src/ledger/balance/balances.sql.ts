import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface WalletRow {
  id: string;
  currency: string;
  gateway: string;
  balance_minor: number;
  held_minor: number;
  refunded_minor: number;
  created_at: Date;
  updated_at: Date;
}

export interface WalletFilters {
  currency: readonly string[] | null;
  gateway: readonly string[] | null;
}

export interface WalletPage extends WalletFilters {
  /** Wallets before this one, newest first; or after it, oldest first. */
  before: string | null;
  after: string | null;
  limit: number;
}

/**
 * One statement reads snapshot and tail, so that each transfer counts once even while balances are rolled.
 *
 * Plan: the tenant's balances and tail by their primary keys, `ledger_balances_pkey` and `ledger_balance_tail_pkey`, or by a scan while the
 * tables are small; then its wallets by `ledger_accounts_wallet`. A project has a few wallets, and rolling keeps the tail short, so that
 * all of them are summed for any page.
 */
export async function listWalletRows(db: Db, tenant: Tenant, page: WalletPage): Promise<WalletRow[]> {
  return sql(db)<WalletRow>`
    with parts as (
      select currency, gateway, account, balance_minor as amount, updated_at from ledger_balances
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      union all
      select currency, gateway, account, delta_minor, created_at from ledger_balance_tail
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    ), sums as (
      select currency, gateway, max(updated_at) as updated_at,
        coalesce(sum(amount) filter (where account = 'custody'), 0)::bigint as balance_minor,
        coalesce(-sum(amount) filter (where account in ('suspense', 'excess')), 0)::bigint as held_minor,
        coalesce(sum(amount) filter (where account = 'refunds'), 0)::bigint as refunded_minor
      from parts group by currency, gateway
    )
    select a.wallet_id as id, a.currency, a.gateway, s.balance_minor, s.held_minor, s.refunded_minor, a.created_at, s.updated_at
    from ledger_accounts a join sums s on s.currency = a.currency and s.gateway = a.gateway
    where a.project_id = ${tenant.project_id} and a.livemode = ${tenant.livemode} and a.wallet_id is not null
      and (${page.currency}::text[] is null or a.currency = any(${page.currency}::text[]))
      and (${page.gateway}::text[] is null or a.gateway = any(${page.gateway}::text[]))
      and (${page.before}::text is null or a.wallet_id < ${page.before})
      and (${page.after}::text is null or a.wallet_id > ${page.after})
    order by ${page.after === null ? sql(db)`a.wallet_id desc` : sql(db)`a.wallet_id`} limit ${page.limit}`;
}

export async function countWallets(db: Db, tenant: Tenant, filters: WalletFilters): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from ledger_accounts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and wallet_id is not null
      and (${filters.currency}::text[] is null or currency = any(${filters.currency}::text[]))
      and (${filters.gateway}::text[] is null or gateway = any(${filters.gateway}::text[]))`;
  return row?.total ?? 0;
}

export async function findWalletId(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ wallet_id: string }>`
    select wallet_id from ledger_accounts
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and wallet_id = ${id}`;
  return row?.wallet_id ?? null;
}

/** Folds tail rows into the balances with a function of the tables' owner; returns how many. */
export async function updateBalances(tx: Tx, limit: number): Promise<number> {
  const [row] = await sql(tx)<{ rolled: number }>`select roll_balances(${limit}) as rolled`;
  return row?.rolled ?? 0;
}
