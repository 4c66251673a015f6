import { recordAudit } from "#audit/index.ts";
import type { Channel } from "#collection/index.ts";
import { type Account, findAccount, parseStatement, type Statement, type StatementRow } from "#collection/index.ts";
import { atNow, type Ctx, findNow, type Tenant } from "#platform/index.ts";
import type { RowOutcome } from "../match-receipt.ts";
import { type Previewed, previewReceipts } from "../preview-receipts.ts";
import { listReferences } from "../sql.ts";
import { countRows, type ImportResult } from "./count-rows.ts";
import { findRefunds } from "./find-refunds.ts";
import { inputOf, withoutDisputed, withoutOddTimes } from "./read-rows.ts";
import { insertPreview } from "./sql.ts";

const retentionHours = 24;
const previewsMax = 20;

export interface StatementGiven {
  bytes: Uint8Array;
  /** The file's hash, which the audit log records. */
  sha256: string;
  /** Refuse another wallet's statement. */
  channel?: Channel | undefined;
  account_ref?: string | null;
}

/** The expected result of a row, and the order that it would pay or may belong to. */
export interface PlannedRow extends StatementRow {
  outcome: RowOutcome;
  order_id: string | null;
  order_reference: string | null;
  elsewhere: boolean;
  /** It was recorded before. */
  known: boolean;
}

export interface Plan extends ImportResult {
  /** The statement without the invalid rows. */
  statement: Statement;
  planned: PlannedRow[];
  /** Whether applying it may settle or hold money: it would, or there is too much to decide in a preview. */
  may_settle: boolean;
}

export interface StatementPreview extends Plan {
  preview_id: string;
  file_sha256: string;
  account_ref: string;
  expires_at: Date;
}

/** Reads a statement and returns what each row would do, without doing it. `applyStatement` then takes the preview's id. */
export async function previewStatement(ctx: Ctx, tenant: Tenant, given: StatementGiven): Promise<StatementPreview> {
  const pinned = await atNow(ctx, ctx.db);
  const statement = withoutOddTimes(pinned, await parseStatement(given.bytes, given.channel));
  const account = await findAccount(ctx.db, tenant, { channel: statement.channel, account_ref: given.account_ref ?? null });
  const plan = await planStatement(ctx, tenant, { statement, account });
  const { channel } = statement;
  const { account_ref } = account;
  const { preview_id, expires_at } = await ctx.transact(async (tx) => {
    const now = await findNow(tx);
    const preview = { preview_id: ctx.id("imp"), expires_at: new Date(now.getTime() + retentionHours * 3_600_000) };
    const row = {
      ...tenant,
      id: preview.preview_id,
      channel,
      account_ref,
      file_sha256: given.sha256,
      created_by: ctx.actor.id,
      created_at: now,
      expires_at: preview.expires_at,
    };
    await insertPreview(tx, { ...row, statement: JSON.stringify(statement) }, previewsMax);
    const detail = { file_sha256: given.sha256, channel, account_ref, rows: plan.rows, settled: plan.settled, faulty: plan.faulty };
    await recordAudit(tx, { ctx, tenant, action: "statement.previewed", object_type: "statement", object_id: preview.preview_id, detail });
    return preview;
  });
  return { ...plan, preview_id, file_sha256: given.sha256, account_ref, expires_at };
}

/**
 * The current expected results of a statement's rows. A row that isn't final is only recorded if it may belong to an order; otherwise it is
 * of no use here.
 */
export async function planStatement(ctx: Ctx, tenant: Tenant, given: { statement: Statement; account: Account }): Promise<Plan> {
  const { account } = given;
  const statement = await withoutDisputed(ctx.db, account, given.statement);
  const place = { channel: statement.channel, account_ref: account.account_ref };
  const previewed = await previewReceipts(
    ctx,
    tenant,
    statement.rows.map((row) => inputOf(row, place)),
  );
  const references = await referencesOf(ctx, tenant, previewed);
  const planned = statement.rows.map((row, index): PlannedRow => {
    const { outcome, order_id, elsewhere, known } = previewed[index] as Previewed;
    const isIdle = row.state !== "final" && (outcome === "unmatched" || outcome === "ignored");
    return {
      ...row,
      outcome: isIdle ? "skipped" : outcome,
      order_id,
      order_reference: references.get(order_id ?? "") ?? null,
      elsewhere,
      known,
    };
  });
  const known = planned.filter((row) => row.known && row.outcome === "skipped").length;
  const outcomes = planned.map((row) => row.outcome);
  const created = planned.filter((row) => !row.known && row.outcome !== "skipped").length;
  const refunds = await findRefunds(ctx.db, tenant, { account, statement });
  const { channel, declared, faults } = statement;
  const counts = countRows(statement, { outcomes, created, known });
  const may_settle = counts.settled + counts.held > 0 || previewed.some(({ undecided }) => undecided);
  return { ...counts, channel, declared_rows: declared, faults, refunds, planned, statement, may_settle };
}

async function referencesOf(ctx: Ctx, tenant: Tenant, previewed: readonly Previewed[]): Promise<Map<string, string | null>> {
  const ids = [...new Set(previewed.flatMap((one) => one.order_id ?? []))];
  const named = ids.length === 0 ? [] : await listReferences(ctx.db, tenant, ids);
  return new Map(named.map((order) => [order.id, order.reference]));
}
