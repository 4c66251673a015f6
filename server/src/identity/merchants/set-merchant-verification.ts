import { recordAudit } from "#audit/index.ts";
import { type Ctx, notice, ownMerchantId, platformErrors } from "#platform/index.ts";
import { lockMerchant, type MerchantRow, updateVerification } from "./sql.ts";
import { type VerificationStatus, verificationStates } from "./states.ts";

/**
 * Stores an operator's decision about a merchant, who is notified. It takes effect in running processes within the 10 seconds of the key
 * cache. Throws resource_missing, also for Tillpost's own merchant.
 */
export function setMerchantVerification(
  ctx: Ctx,
  input: { merchant_id: string; status: VerificationStatus; reason?: string },
): Promise<MerchantRow> {
  return ctx.transact(async (tx) => {
    const before = input.merchant_id === ownMerchantId ? null : await lockMerchant(tx, input.merchant_id);
    if (before === null) throw platformErrors.resource_missing({ param: "merchant_id" });
    verificationStates.check([before.verification_status], input.status);
    const row = await updateVerification(tx, input.merchant_id, { status: input.status, reason: input.reason ?? null });
    if (row === null) throw platformErrors.resource_missing({ param: "merchant_id" });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.id,
      action: `merchant.${input.status}`,
      object_type: "merchant",
      object_id: row.id,
      detail: { previous_verification_status: before.verification_status, ...(input.reason === undefined ? {} : { reason: input.reason }) },
    });
    if (input.status === "verified") await notice(tx, ctx, { kind: "merchant_verified", recipient: row.id, params: {} });
    if (input.status === "rejected")
      await notice(tx, ctx, { kind: "merchant_rejected", recipient: row.id, params: { reason: input.reason ?? null } });
    return row;
  });
}
