import { recordAudit } from "#audit/index.ts";
import { type Account, externalKey, findAccount, lockAccount, type Statement, updateReceiptStates } from "#collection/index.ts";
import { identityErrors } from "#identity/index.ts";
import { type Ctx, inSteps, platformErrors, type Tenant } from "#platform/index.ts";
import { completeKnown } from "../match/complete-known.ts";
import { outcomeOfKnown, type RowOutcome } from "../match-receipt.ts";
import { type Recorded, recordReceipts } from "../record-receipt.ts";
import { countRows, type ImportResult } from "./count-rows.ts";
import { findRefunds, listReturned } from "./find-refunds.ts";
import { type Plan, type PlannedRow, planStatement } from "./preview-statement.ts";
import { inputOf, reviveStatement } from "./read-rows.ts";
import { findPreview, type PreviewRow, updateApplied, updateApplying } from "./sql.ts";

const applyMs = 10 * 60_000;

export interface ApplyInput {
  preview_id: string;
  /** Whether the caller can settle LIVE orders with it: a signed-in person with review permission. */
  maySettle: { isPerson: boolean; isReviewer: boolean };
}

/**
 * Applies a previewed statement and decides about each row again. A second call returns the first result. In LIVE, a statement that would
 * settle or hold money must be applied by a signed-in reviewer: throws session_required or permission_denied for anyone else.
 */
export function applyStatement(ctx: Ctx, tenant: Tenant, input: ApplyInput): Promise<ImportResult> {
  return inSteps(ctx, async (steps) => {
    const preview = await findPreview(ctx.db, tenant, { id: input.preview_id });
    if (preview === null)
      throw platformErrors.resource_missing({
        param: "preview_id",
        message: "This preview has expired or doesn't exist. Import the file again.",
      });
    if (preview.result !== null) return preview.result;
    // A retry with the same key continues where a process ended: processing a row twice changes nothing.
    const lease = { id: preview.id, by: ctx.claim?.key ?? ctx.id("req"), apply_ms: applyMs };
    if (!(await steps.transact((tx) => updateApplying(tx, tenant, lease)))) return awaited(ctx, tenant, preview);
    try {
      return await finish(steps, tenant, { preview, taken: await takeIn(steps, tenant, { preview, input }) });
    } catch (error) {
      await steps.transact((tx) => updateApplied(tx, tenant, { id: preview.id, result: null }));
      throw error;
    }
  });
}

/** Another request is processing it, or has just finished. */
async function awaited(ctx: Ctx, tenant: Tenant, preview: PreviewRow): Promise<ImportResult> {
  const again = await findPreview(ctx.db, tenant, { id: preview.id });
  if (again?.result != null) return again.result;
  throw platformErrors.idempotency_key_in_use({ message: "This statement is being imported right now.", headers: { "retry-after": "1" } });
}

/** Stores the result and its audit row once: if two requests applied it concurrently, both return the first one's. */
async function finish(ctx: Ctx, tenant: Tenant, { preview, taken }: { preview: PreviewRow; taken: Taken }): Promise<ImportResult> {
  const { result, account_ref } = taken;
  const { faults, refunds: _hints, ...counts } = result;
  const detail = { file_sha256: preview.file_sha256, account_ref, ...counts };
  const isFirst = await ctx.transact(async (tx) => {
    if (!(await updateApplied(tx, tenant, { id: preview.id, result: JSON.stringify(result) }))) return false;
    await recordAudit(tx, { ctx, tenant, action: "statement.imported", object_type: "statement", object_id: preview.id, detail });
    return true;
  });
  return isFirst ? result : awaited(ctx, tenant, preview);
}

interface Taken {
  result: ImportResult;
  account_ref: string;
}

async function takeIn(ctx: Ctx, tenant: Tenant, given: { preview: PreviewRow; input: ApplyInput }): Promise<Taken> {
  const { preview, input } = given;
  const account = await findAccount(ctx.db, tenant, preview);
  const plan = await planStatement(ctx, tenant, { statement: reviveStatement(preview.statement as Statement), account });
  const { statement } = plan;
  if (tenant.livemode) refuseSettling(plan, input.maySettle);
  await refreshStates(ctx, tenant, { account, statement });
  await completeKnown(ctx, tenant, { account, statement });
  const place = { channel: statement.channel, account_ref: account.account_ref };
  // Known rows are sent too: a row that wasn't final before may be so now.
  const wanted = plan.planned.filter((row) => row.outcome !== "skipped" || row.known);
  const recorded = await recordReceipts(
    ctx,
    tenant,
    wanted.map((row) => inputOf(row, place)),
  );
  const outcomes = outcomesOf(plan, { wanted, recorded });
  const created = recorded.filter((one) => one.created).length;
  const known = outcomes.filter((outcome, index) => outcome === "skipped" && plan.planned[index]?.known === true).length;
  const refunds = await findRefunds(ctx.db, tenant, { account, statement });
  const result = {
    ...countRows(statement, { outcomes, created, known }),
    channel: statement.channel,
    declared_rows: statement.declared,
    faults: statement.faults,
    refunds,
  };
  return { result, account_ref: account.account_ref };
}

function refuseSettling(plan: Plan, may: ApplyInput["maySettle"]): void {
  if (!plan.may_settle || (may.isPerson && may.isReviewer)) return;
  if (!may.isPerson)
    throw identityErrors.session_required({
      message: "This import would or could settle LIVE orders. A signed-in reviewer must apply it in the dashboard.",
    });
  throw platformErrors.permission_denied({
    message: "This import would or could settle LIVE orders, which requires reviews:write.",
    fields: { required_scope: "reviews:write" },
  });
}

/**
 * New information in the file about known transfers: one that wasn't final may be so now, a received one may have been refunded, perhaps by
 * a row of its own. A key can only report this for its own project's money.
 */
async function refreshStates(ctx: Ctx, tenant: Tenant, given: { account: Account; statement: Statement }): Promise<void> {
  const only_project = ctx.actor.kind === "person" ? null : tenant.project_id;
  const states = [
    ...given.statement.rows.flatMap(({ external_id, amount_minor, state }) => {
      const key = externalKey(external_id);
      return key === null ? [] : [{ key, amount_minor, state }];
    }),
    ...(await listReturned(ctx.db, given)),
  ];
  await ctx.transact(async (tx) => {
    await lockAccount(tx, given.account);
    const changed = await updateReceiptStates(tx, given.account, { states, only_project });
    for (const { id, state, project_id, livemode } of changed) {
      await recordAudit(tx, {
        ctx,
        tenant: { project_id, livemode },
        action: "receipt.updated",
        object_type: "receipt",
        object_id: id,
        detail: { state },
      });
    }
  });
}

function outcomesOf(plan: Plan, given: { wanted: readonly PlannedRow[]; recorded: readonly Recorded[] }): RowOutcome[] {
  const byRow = new Map(given.wanted.map((row, index) => [row, given.recorded[index]]));
  return plan.planned.map((row) => {
    const one = byRow.get(row);
    if (one === undefined) return "skipped";
    return one.created ? one.outcome : outcomeOfKnown(one.outcome);
  });
}
