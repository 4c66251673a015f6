import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Lifts the timeout for this transaction: recomputing a large tenant's balances takes longer than a request may. */
export async function updateStatementTimeout(tx: Tx): Promise<void> {
  await sql(tx)`set local statement_timeout = '30min'`;
}

export async function listTenants(db: Db, after: Tenant | null, limit: number): Promise<Tenant[]> {
  return sql(db)<Tenant>`
    -- all tenants: the audit visits each in turn
    select distinct project_id, livemode from ledger_accounts
    where ${after === null} or (project_id, livemode) > (${after?.project_id ?? ""}, ${after?.livemode ?? false})
    order by project_id, livemode limit ${limit}`;
}

export interface UnequalBalance {
  currency: string;
  gateway: string;
  account: string;
  derived_minor: string;
  kept_minor: string;
}

/**
 * Accounts whose snapshot and tail do not add up to their transfers. Sums are returned as text: a corrupted one may exceed a safe integer.
 *
 * Plan: reads all transfers of the tenant twice, once for each side, by `ledger_transfers_pkey`, which begins with project and environment;
 * there are few balances and tail rows in comparison. A full join also finds an account that exists on one side only. Runs in audits, one
 * tenant at a time, not in requests.
 */
export async function listUnequalBalances(db: Db, tenant: Tenant, limit: number): Promise<UnequalBalance[]> {
  return sql(db)<UnequalBalance>`
    with moved as (
      select currency, gateway, debit as account, amount_minor as delta from ledger_transfers
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      union all
      select currency, gateway, credit, -amount_minor from ledger_transfers
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    ), derived as (
      select currency, gateway, account, sum(delta) as total from moved group by currency, gateway, account
    ), parts as (
      select currency, gateway, account, balance_minor as amount from ledger_balances
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      union all
      select currency, gateway, account, delta_minor from ledger_balance_tail
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    ), kept as (
      select currency, gateway, account, sum(amount) as total from parts group by currency, gateway, account
    )
    select currency, gateway, account, coalesce(derived.total, 0)::text as derived_minor, coalesce(kept.total, 0)::text as kept_minor
    from derived full join kept using (currency, gateway, account)
    where coalesce(derived.total, 0) <> coalesce(kept.total, 0)
    order by currency, gateway, account limit ${limit}`;
}

/** Currencies whose balances do not sum to zero. */
export async function listCurrencySums(db: Db, tenant: Tenant, limit: number): Promise<{ currency: string; sum_minor: string }[]> {
  return sql(db)<{ currency: string; sum_minor: string }>`
    with parts as (
      select currency, balance_minor as amount from ledger_balances
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      union all
      select currency, delta_minor from ledger_balance_tail where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    )
    select currency, sum(amount)::text as sum_minor from parts group by currency having sum(amount) <> 0 order by currency limit ${limit}`;
}

/** Transfers that lack one of their accounts, and tail rows without their transfer. */
export async function listOrphans(db: Db, tenant: Tenant, limit: number): Promise<{ transfer_id: string; account: string }[]> {
  return sql(db)<{ transfer_id: string; account: string }>`
    select t.id as transfer_id, side.account from ledger_transfers t cross join lateral (values (t.debit), (t.credit)) as side (account)
    where t.project_id = ${tenant.project_id} and t.livemode = ${tenant.livemode}
      and not exists (select from ledger_accounts a where a.project_id = t.project_id and a.livemode = t.livemode
        and a.currency = t.currency and a.gateway = t.gateway and a.code = side.account)
    union all
    select b.transfer_id, b.account from ledger_balance_tail b
    where b.project_id = ${tenant.project_id} and b.livemode = ${tenant.livemode}
      and not exists (select from ledger_transfers t where t.project_id = b.project_id and t.livemode = b.livemode and t.id = b.transfer_id
        and t.currency = b.currency and t.gateway = b.gateway and b.account in (t.debit, t.credit))
    limit ${limit}`;
}

/** Reversals that mirror no transfer, or one that another reversal already reversed. */
export async function listFalseReversals(db: Db, tenant: Tenant, limit: number): Promise<{ transfer_id: string; reverses: string }[]> {
  return sql(db)<{ transfer_id: string; reverses: string }>`
    select r.id as transfer_id, coalesce(r.reverses, '') as reverses from ledger_transfers r
    where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} and (r.reverses is not null or r.kind = 'reversal')
      and (not exists (select from ledger_transfers o where o.project_id = r.project_id and o.livemode = r.livemode and o.id = r.reverses
          and o.kind <> 'reversal' and o.currency = r.currency and o.gateway = r.gateway and o.amount_minor = r.amount_minor
          and o.debit = r.credit and o.credit = r.debit)
        or exists (select from ledger_transfers s where s.project_id = r.project_id and s.livemode = r.livemode
          and s.reverses = r.reverses and s.id < r.id))
    order by r.id limit ${limit}`;
}

/** Sources that were booked more than once. */
export async function listRepeatedSources(
  db: Db,
  tenant: Tenant,
  limit: number,
): Promise<{ kind: string; source: string; times: number }[]> {
  return sql(db)<{ kind: string; source: string; times: number }>`
    select kind, source, count(*) as times from ledger_transfers
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    group by kind, source having count(*) > 1 order by kind, source limit ${limit}`;
}

export async function countTransfers(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ transfers: number }>`
    select count(*) as transfers from ledger_transfers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  return row?.transfers ?? 0;
}

/** Which of these constraints, unique indexes and triggers exist on the ledger's tables and are enforced. */
export async function listGuards(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await sql(db)<{ name: string }>`
    -- all tenants: reads the catalogue alone
    select conname::text as name from pg_constraint where conname = any(${names}::text[]) and convalidated
    union select tgname::text from pg_trigger where tgname = any(${names}::text[]) and tgenabled in ('O', 'A')
    union select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = any(${names}::text[]) and i.indisunique and i.indisvalid`;
  return rows.map((row) => row.name);
}
