import type { Ctx, Tenant } from "#platform/index.ts";
import { findWalletId, listWalletRows } from "./balances.sql.ts";
import { type Wallet, walletOf } from "./list-wallets.ts";

const walletsMax = 1_000;

/**
 * One wallet of this tenant, exact at the time of the response, or null. A tenant has one for each gateway and currency, so that they are
 * read together.
 */
export async function findWallet(ctx: Pick<Ctx, "db">, tenant: Tenant, id: string): Promise<Wallet | null> {
  if ((await findWalletId(ctx.db, tenant, id)) === null) return null;
  const rows = await listWalletRows(ctx.db, tenant, { gateway: null, currency: null, before: null, after: null, limit: walletsMax });
  const row = rows.find((one) => one.id === id);
  return row === undefined ? null : walletOf(tenant, row);
}
