import { parseStatement, type ReceiptRow, type StatementFault } from "#collection/index.ts";
import { type Ctx, finishClaim, holdClaim, releaseClaim, type Tenant } from "#platform/index.ts";
import type { Channel } from "../shapes.ts";
import { type Recorded, recordReceipt } from "./record-receipt.ts";

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
  const { claim } = ctx;
  const done = claim === null ? null : await ctx.transactUnclaimed((tx) => holdClaim(tx, claim, ctx.now()));
  if (done !== null) return done.result as ImportedStatement;
  try {
    const result = await recordRows(ctx, tenant, statement);
    if (claim !== null) await ctx.transactUnclaimed((tx) => finishClaim(tx, claim, result));
    return result;
  } catch (error) {
    // What was not finished leaves its key to whoever comes next.
    if (claim !== null) await ctx.transactUnclaimed((tx) => releaseClaim(tx, claim));
    throw error;
  }
}

async function recordRows(ctx: Ctx, tenant: Tenant, statement: ReturnType<typeof parseStatement>): Promise<ImportedStatement> {
  const rowCtx: Ctx = { ...ctx, transact: ctx.transactUnclaimed };
  const recorded: Recorded[] = [];
  for (const row of statement.rows) {
    const { external_id, amount_minor, occurred_at, payer_hint, remark } = row;
    recorded.push(
      await recordReceipt(rowCtx, tenant, { channel: statement.channel, amount_minor, occurred_at, external_id, payer_hint, remark, source: "statement" }),
    );
  }
  const counted = (status: string) => recorded.filter((one) => one.created && one.receipt.status === status).length;
  return {
    channel: statement.channel,
    total: recorded.length,
    created: recorded.filter((one) => one.created).length,
    matched: counted("matched"),
    linked: counted("linked"),
    unmatched: counted("unmatched"),
    faults: statement.faults,
    receipts: recorded.map((one) => one.receipt),
  };
}
