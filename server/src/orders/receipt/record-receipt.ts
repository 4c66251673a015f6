import { insertReceipt, listUnmatched, lockWaiting, type NewReceipt, parseStatement, type ReceiptRow, type StatementFault } from "#collection/index.ts";
import { recordAudit } from "#identity/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { Channel } from "../shapes.ts";
import { matchReceipt, type Matched } from "./match-receipt.ts";

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
      ctx, tenant, action: "receipt.recorded", object_type: "receipt", object_id: receipt.id,
      detail: { source: receipt.source, status: matched.receipt.status, payment_session_id: matched.receipt.payment_session_id },
    });
    return { ...matched, created };
  });
}

export interface ImportedStatement {
  channel: Channel;
  total: number;
  created: number;
  matched: number;
  linked: number;
  unmatched: number;
  faults: StatementFault[];
  receipts: ReceiptRow[];
}

/** Takes a WeChat Pay or Alipay statement (CSV bytes) row by row; rows seen before change nothing, so a broken import is simply sent again. */
export async function importStatement(ctx: Ctx, tenant: Tenant, input: { bytes: Uint8Array; channel?: Channel }): Promise<ImportedStatement> {
  const statement = parseStatement(input.bytes, input.channel);
  const rowCtx: Ctx = { ...ctx, transact: ctx.transactUnclaimed };
  const recorded: Recorded[] = [];
  for (const row of statement.rows) {
    const { external_id, amount_minor, occurred_at, payer_hint, remark } = row;
    recorded.push(await recordReceipt(rowCtx, tenant, { channel: statement.channel, amount_minor, occurred_at, external_id, payer_hint, remark, source: "statement" }));
  }
  const counted = (status: string) => recorded.filter((one) => one.created && one.receipt.status === status).length;
  const result = {
    channel: statement.channel, total: recorded.length, created: recorded.filter((one) => one.created).length, matched: counted("matched"), linked: counted("linked"),
    unmatched: counted("unmatched"), faults: statement.faults, receipts: recorded.map((one) => one.receipt),
  };
  return ctx.transact(async () => result);
}

/** Looks again at receipts that waited an hour for a person; what no session can explain any more becomes an exception. */
export async function matchWaitingReceipts(ctx: Ctx, limit = 100): Promise<number> {
  const waiting = await listUnmatched(ctx.db, { before: new Date(ctx.now().getTime() - 3_600_000), limit });
  let matched = 0;
  for (const seen of waiting) {
    const after = await ctx.transact(async (tx) => {
      const receipt = await lockWaiting(tx, seen);
      return receipt === null ? null : matchReceipt(tx, ctx, receipt);
    });
    if (after !== null && after.receipt.status !== "unmatched") matched += 1;
  }
  return matched;
}
