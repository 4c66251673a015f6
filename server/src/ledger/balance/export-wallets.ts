import { type Ctx, csvHead, csvText, currencyExponent, decimalOf, localTimes, type Tenant } from "#platform/index.ts";
import type { ExportFormat } from "../transaction/export-transactions.ts";
import { listWallets, type Wallet, type WalletQuery } from "./list-wallets.ts";

const pageSize = 100;

const columns = [
  ...["id", "gateway", "currency", "custody", "balance", "balance_minor", "available_minor", "pending_minor", "refunded_minor"],
  ...["livemode", "created_at", "updated_at", "updated_at_local", "time_zone"],
];

/**
 * All matching wallets, newest first. CSV shows the balance both in the currency's own decimals and in minor units, and the time both in a
 * time zone and in UTC.
 */
export async function* exportWallets(
  ctx: Pick<Ctx, "db">,
  tenant: Tenant,
  query: Pick<WalletQuery, "currency" | "gateway"> & { format: ExportFormat; time_zone?: string },
): AsyncGenerator<string, void, undefined> {
  const { format, time_zone = "UTC", ...filters } = query;
  const line = format === "csv" ? csvLines(time_zone) : (wallet: Wallet) => `${JSON.stringify(wallet)}\n`;
  if (format === "csv") yield csvHead(columns);
  let after: string | undefined;
  for (;;) {
    const page = await listWallets(ctx, tenant, { ...filters, limit: pageSize, ...(after === undefined ? {} : { starting_after: after }) });
    if (page === null) return;
    yield page.data.map(line).join("");
    if (!page.has_more) return;
    after = page.data.at(-1)?.id;
  }
}

function csvLines(time_zone: string): (wallet: Wallet) => string {
  const localTime = localTimes(time_zone);
  return (wallet) => {
    const balance = decimalOf(wallet.balance_minor, currencyExponent(wallet.currency));
    const row: Record<string, unknown> = { ...wallet, balance, updated_at_local: localTime(wallet.updated_at), time_zone };
    return `${columns.map((column) => csvCell(column, row[column])).join(",")}\r\n`;
  };
}

function csvCell(column: string, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  // A negative balance starts with a minus and is not a formula.
  return typeof value === "string" && column !== "balance" ? csvText(value) : String(value);
}
