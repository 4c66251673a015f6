import type { Ctx, Tenant } from "#platform/index.ts";
import type { Listed, ListPage } from "../transaction/filters.ts";
import { countWallets, findWalletId, listWalletRows, type WalletRow } from "./balances.sql.ts";

/** The ledger's record of the money at one gateway in one currency; the money itself is in the merchant's own account. */
export interface Wallet {
  id: string;
  object: "wallet";
  project_id: string;
  livemode: boolean;
  currency: string;
  gateway: string;
  custody: "external";
  balance_minor: number;
  available_minor: number;
  pending_minor: number;
  refunded_minor: number;
  created_at: Date;
  updated_at: Date;
}

export interface WalletQuery extends ListPage {
  currency?: readonly string[];
  gateway?: readonly string[];
}

/** Wallets newest first, each exact at the time of the response; null if the cursor is no wallet of this tenant. */
export async function listWallets(ctx: Pick<Ctx, "db">, tenant: Tenant, query: WalletQuery): Promise<Listed<Wallet> | null> {
  const filters = { currency: query.currency ?? null, gateway: query.gateway ?? null };
  const cursor = query.starting_after ?? query.ending_before ?? null;
  if (cursor !== null && (await findWalletId(ctx.db, tenant, cursor)) === null) return null;
  const rows = await listWalletRows(ctx.db, tenant, {
    ...filters,
    before: query.starting_after ?? null,
    after: query.ending_before ?? null,
    limit: query.limit + 1,
  });
  const data = rows.slice(0, query.limit).map((row) => walletOf(tenant, row));
  const total = query.total === true ? { total_count: await countWallets(ctx.db, tenant, filters) } : {};
  return { data: query.ending_before === undefined ? data : data.reverse(), has_more: rows.length > query.limit, ...total };
}

/** A wallet as the API returns it. */
export function walletOf(tenant: Tenant, row: WalletRow): Wallet {
  return {
    id: row.id,
    object: "wallet",
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    currency: row.currency,
    gateway: row.gateway,
    custody: "external",
    balance_minor: row.balance_minor,
    available_minor: row.balance_minor - row.held_minor,
    pending_minor: row.held_minor,
    refunded_minor: row.refunded_minor,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
