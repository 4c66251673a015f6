import { recordAudit } from "#audit/index.ts";
import { type Ctx, notice, platformErrors } from "#platform/index.ts";
import { lockNumberOfAny, type NumberRow } from "./sql.ts";
import { tenantOf, writeDecision } from "./write-decision.ts";

/**
 * Rejects a request, or revokes a number: from then on nothing more is accepted from it. The merchant is notified of the reason. Repeated,
 * it changes and reports nothing. Throws resource_missing.
 */
export function rejectNumber(ctx: Ctx, { id, reason }: { id: string; reason: string }): Promise<NumberRow> {
  return ctx.transact(async (tx) => {
    const before = await lockNumberOfAny(tx, id);
    if (before === null) throw platformErrors.resource_missing({ param: "id" });
    if (before.status === "rejected") return before;
    const row = await writeDecision(tx, ctx, { before, decision: { status: "rejected", reason } });
    const { project_id, livemode, value } = row;
    const detail = { value, previous_status: before.status, reason };
    await recordAudit(tx, { ctx, tenant: tenantOf(row), action: "number.rejected", object_type: "number", object_id: id, detail });
    const params = { project_id, livemode, value, was_approved: before.status === "approved", reason };
    await notice(tx, ctx, { kind: "number_rejected", recipient: project_id, params });
    return row;
  });
}
