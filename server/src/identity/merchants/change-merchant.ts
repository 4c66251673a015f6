import { recordAudit, withPrevious } from "#audit/index.ts";
import { type Ctx, ownMerchantId, platformErrors, refuseAddressesIn, type Tx } from "#platform/index.ts";
import { lockMerchant, type MerchantRow, updateMerchant } from "./sql.ts";

export interface MerchantChange {
  merchant_id: string;
  if_version: number | null;
  display_name?: string;
  country?: string | null;
  /** In hundredths of a percent. */
  shortfall_tolerance_bps?: number;
  second_step_required?: boolean;
  /** Only set by operators. */
  messaging_tier?: MerchantRow["messaging_tier"];
  /** What higher rooms do about another country, in the same transaction. */
  move?: (tx: Tx, country: string | null) => Promise<void>;
}

/** Changes a merchant's public details, or its messaging tier. Throws resource_missing, also for Tillpost's own merchant. */
export function changeMerchant(ctx: Ctx, input: MerchantChange): Promise<MerchantRow> {
  refuseAddressesIn({ display_name: input.display_name });
  return ctx.transact(async (tx) => {
    const before = input.merchant_id === ownMerchantId ? null : await lockMerchant(tx, input.merchant_id);
    if (before === null) throw platformErrors.resource_missing({ param: "id" });
    if (input.if_version !== null && input.if_version !== before.version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    const next = {
      display_name: input.display_name ?? before.display_name,
      country: input.country === undefined ? before.country : input.country,
      messaging_tier: input.messaging_tier ?? before.messaging_tier,
      shortfall_tolerance_bps: input.shortfall_tolerance_bps ?? before.shortfall_tolerance_bps,
      second_step_required: input.second_step_required ?? before.second_step_required,
    };
    if (next.country !== before.country) await input.move?.(tx, next.country);
    const row = await updateMerchant(tx, { id: before.id, ...next, updated_at: ctx.now() });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.id,
      action: "merchant.updated",
      object_type: "merchant",
      object_id: row.id,
      detail: withPrevious(next, { ...before }),
    });
    return row;
  });
}
