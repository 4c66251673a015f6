import { recordAudit } from "#audit/index.ts";
import { type Ctx, ownMerchantId, platformErrors, readCurrency } from "#platform/index.ts";
import {
  findPriceList,
  listPrices,
  lockPriceList,
  type PriceListRow,
  type PriceRow,
  updatePrices,
  updateUnnamedCurrency,
} from "./prices.sql.ts";
import { type PricesInput, readPrices } from "./read-prices.ts";

/** The price table of the installation. */
export interface PriceTable extends PriceListRow {
  prices: PriceRow[];
}

export async function findPrices(ctx: Pick<Ctx, "db">): Promise<PriceTable> {
  return { ...(await findPriceList(ctx.db)), prices: await listPrices(ctx.db) };
}

interface NewPrices extends PricesInput {
  currency: string;
  if_version: number | null;
}

/**
 * Replaces the whole price table; one without rows counts as none. Accepted messages keep their cost, and caps only count what is spent in
 * the table's currency. Throws unsupported_currency,
 * version_conflict, and all faults of the rows at once.
 */
export async function replacePrices(ctx: Ctx, { currency: given, if_version, ...input }: NewPrices): Promise<PriceTable> {
  const currency = readCurrency(given);
  if (currency === null) throw platformErrors.unsupported_currency({ param: "currency", reason: "not_a_currency" });
  const prices = readPrices(input);
  return ctx.transact(async (tx) => {
    const before = await lockPriceList(tx);
    if (if_version !== null && if_version !== before.version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    const next = prices.length === 0 ? null : currency;
    if (before.currency !== null && before.currency !== next) await updateUnnamedCurrency(tx, before.currency);
    const row = await updatePrices(tx, { currency: next, prices });
    const detail = { currency: row.currency, previous_currency: before.currency, rows: prices.length };
    await recordAudit(tx, {
      ...{ ctx, tenant: null, merchant_id: ownMerchantId, action: "message_prices.updated" },
      ...{ object_type: "message_prices", object_id: null, detail },
    });
    return { ...row, prices: await listPrices(tx) };
  });
}
