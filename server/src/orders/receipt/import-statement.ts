import { parseStatement, type ReceiptRow, type StatementFault } from "#collection/index.ts";
import { type Ctx, findReplay, type Tenant } from "#platform/index.ts";
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
  const done = ctx.claim === null ? null : await findReplay(ctx.db, ctx.claim, ctx.now());
  if (done !== null) return done.result as ImportedStatement;
  const statement = parseStatement(input.bytes, input.channel);
  const rowCtx: Ctx = { ...ctx, transact: ctx.transactUnclaimed };
  const recorded: Recorded[] = [];
  for (const row of statement.rows) {
    const { external_id, amount_minor, occurred_at, payer_hint, remark } = row;
    recorded.push(
      await recordReceipt(rowCtx, tenant, { channel: statement.channel, amount_minor, occurred_at, external_id, payer_hint, remark, source: "statement" }),
    );
  }
  const counted = (status: string) => recorded.filter((one) => one.created && one.receipt.status === status).length;
  const result = {
    channel: statement.channel,
    total: recorded.length,
    created: recorded.filter((one) => one.created).length,
    matched: counted("matched"),
    linked: counted("linked"),
    unmatched: counted("unmatched"),
    faults: statement.faults,
    receipts: recorded.map((one) => one.receipt),
  };
  return ctx.transact(async () => result);
}
