import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import * as rows from "./sql.ts";

/** One inconsistency in the ledger. */
export interface LedgerFault {
  check: "guard" | "balance" | "currency_sum" | "orphan" | "reversal" | "source";
  project_id: string | null;
  livemode: boolean | null;
  detail: object;
}

export interface LedgerAudit {
  tenants: number;
  transfers: number;
  faults: LedgerFault[];
  /** The maximum number of faults listed. */
  truncated: boolean;
}

/** What the database itself must refuse; an audit of balances proves little if one of these is missing. */
export const ledgerGuards = [
  "ledger_accounts_pkey",
  "ledger_accounts_currency",
  "ledger_accounts_gateway",
  "ledger_accounts_code",
  "ledger_accounts_custody_is_wallet",
  "ledger_accounts_wallet",
  "ledger_accounts_append_only",
  "ledger_transfers_pkey",
  "ledger_transfers_kind",
  "ledger_transfers_source",
  "ledger_transfers_source_named",
  "ledger_transfers_amount",
  "ledger_transfers_two_accounts",
  "ledger_transfers_reversal_kind",
  "ledger_transfers_kind_accounts",
  "ledger_transfers_debit",
  "ledger_transfers_credit",
  "ledger_transfers_reverses",
  "ledger_transfers_reversed_once",
  "ledger_transfers_mirror",
  "ledger_transfers_append_only",
  "ledger_transfers_no_truncate",
  "ledger_transfers_tail",
] as const;

const faultsMax = 1000;
const faultsOfCheck = 100;
const tenantsAtOnce = 200;

/**
 * Recomputes every balance of every tenant from its transfers, one tenant at a time, and lists the inconsistencies. Safe while the service
 * is running.
 */
export async function auditLedger(ctx: Pick<Ctx, "db" | "transact">): Promise<LedgerAudit> {
  const audit: LedgerAudit = { tenants: 0, transfers: 0, faults: await missingGuards(ctx), truncated: false };
  let after: Tenant | null = null;
  do {
    const tenants: Tenant[] = await rows.listTenants(ctx.db, after, tenantsAtOnce);
    for (const tenant of tenants) {
      const found = await ctx.transact((tx) => auditTenant(tx, tenant));
      audit.tenants += 1;
      audit.transfers += found.transfers;
      audit.truncated ||= audit.faults.length + found.faults.length > faultsMax;
      audit.faults.push(...found.faults.slice(0, faultsMax - audit.faults.length));
    }
    after = tenants.at(-1) ?? null;
  } while (after !== null);
  return audit;
}

async function missingGuards(ctx: Pick<Ctx, "db">): Promise<LedgerFault[]> {
  const present = new Set(await rows.listGuards(ctx.db, ledgerGuards));
  return ledgerGuards
    .filter((name) => !present.has(name))
    .map((missing) => ({ check: "guard", project_id: null, livemode: null, detail: { missing } }));
}

async function auditTenant(tx: Tx, tenant: Tenant): Promise<{ transfers: number; faults: LedgerFault[] }> {
  await rows.updateStatementTimeout(tx);
  const checks: [LedgerFault["check"], object[]][] = [
    ["balance", await rows.listUnequalBalances(tx, tenant, faultsOfCheck)],
    ["currency_sum", await rows.listCurrencySums(tx, tenant, faultsOfCheck)],
    ["orphan", await rows.listOrphans(tx, tenant, faultsOfCheck)],
    ["reversal", await rows.listFalseReversals(tx, tenant, faultsOfCheck)],
    ["source", await rows.listRepeatedSources(tx, tenant, faultsOfCheck)],
  ];
  const faults = checks.flatMap(([check, details]) => details.map((detail) => ({ check, ...tenant, detail })));
  return { transfers: await rows.countTransfers(tx, tenant), faults };
}
