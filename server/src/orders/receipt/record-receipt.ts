import { insertReceipt, listUnmatched, lockWaiting, type NewReceipt, type ReceiptRow } from "#collection/index.ts";
import { recordAudit } from "#identity/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { type Matched, matchReceipt } from "./match-receipt.ts";

export type ReceiptInput = Omit<NewReceipt, "currency"> & { currency?: string };

export interface Recorded extends Matched {
  /** False when this channel and external id was recorded before; the first one is answered. */
  created: boolean;
}

/** Takes one receipt of a personal channel and books or links what it shows, in one transaction. Money of every receipt ends in an order, an exception or a suggestion. */
export async function recordReceipt(ctx: Ctx, tenant: Tenant, input: ReceiptInput): Promise<Recorded> {
  const currency = (input.currency ?? "CNY").toUpperCase();
  if (currency !== "CNY") throw platformErrors.unsupported_currency({ param: "currency", message: "Both personal channels take CNY alone." });
  return ctx.transact(async (tx) => {
    const { receipt, created } = await insertReceipt(tx, ctx, { tenant, receipt: { ...input, currency } });
    if (!created) return { receipt, created, suggestions: [] };
    const matched = await matchReceipt(tx, ctx, receipt);
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "receipt.recorded",
      object_type: "receipt",
      object_id: receipt.id,
      detail: { source: receipt.source, status: matched.receipt.status, payment_session_id: matched.receipt.payment_session_id },
    });
    return { ...matched, created };
  });
}

/** Looks again at receipts that waited an hour for a person; what no session can explain any more becomes an exception. */
export async function matchWaitingReceipts(ctx: Ctx, atOnce = 100): Promise<number> {
  const before = new Date(ctx.now().getTime() - 3_600_000);
  let matched = 0;
  for (let after: ReceiptRow | null = null; ; ) {
    const waiting: ReceiptRow[] = await listUnmatched(ctx.db, { before, after, limit: atOnce });
    for (const seen of waiting) if (await matchAgain(ctx, seen)) matched += 1;
    after = waiting.at(-1) ?? null;
    if (waiting.length < atOnce) return matched;
  }
}

function matchAgain(ctx: Ctx, seen: ReceiptRow): Promise<boolean> {
  return ctx.transact(async (tx) => {
    const receipt = await lockWaiting(tx, seen);
    return receipt !== null && (await matchReceipt(tx, ctx, receipt)).receipt.status !== "unmatched";
  });
}
