import { recordAudit } from "#audit/index.ts";
import { type Ctx, notice, ownMerchantId, platformErrors } from "#platform/index.ts";
import { updateSuspension } from "./sql.ts";

/**
 * Suspends all LIVE messages of a merchant's projects, or resumes them if `reason` is null; its owners are notified. Throws
 * resource_missing, also for Tillpost's own merchant.
 */
export function setMerchantSending(ctx: Ctx, input: { merchant_id: string; reason: string | null }): Promise<{ id: string }> {
  const { merchant_id, reason } = input;
  return ctx.transact(async (tx) => {
    const row = merchant_id === ownMerchantId ? null : await updateSuspension(tx, merchant_id, { reason, by: ctx.actor.id });
    if (row === null) throw platformErrors.resource_missing({ param: "id" });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.id,
      action: reason === null ? "merchant.sending_resumed" : "merchant.sending_suspended",
      object_type: "merchant",
      object_id: row.id,
      detail: reason === null ? {} : { reason },
    });
    if (reason === row.before) return row;
    const kind = reason === null ? "sending_resumed" : "sending_suspended";
    await notice(tx, ctx, { kind, recipient: row.id, params: reason === null ? {} : { reason } });
    return row;
  });
}
