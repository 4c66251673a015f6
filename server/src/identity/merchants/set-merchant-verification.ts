import { type Ctx, platformErrors } from "#platform/index.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { type MerchantRow, updateVerification, type VerificationStatus } from "./sql.ts";

/** Records an operator's decision on a merchant. Running processes follow within the 10 seconds of the key cache. */
export function setMerchantVerification(ctx: Ctx, input: { merchant_id: string; status: VerificationStatus }): Promise<MerchantRow> {
  return ctx.transact(async (tx) => {
    const now = ctx.now();
    const row = await updateVerification(tx, input.merchant_id, { status: input.status, verified_at: input.status === "verified" ? now : null, now });
    if (row === null) throw platformErrors.resource_missing({ param: "merchant_id" });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.id,
      action: `merchant.${input.status}`,
      object_type: "merchant",
      object_id: row.id,
      detail: {},
    });
    return row;
  });
}
