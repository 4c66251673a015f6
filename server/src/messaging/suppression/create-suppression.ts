import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { addSuppression } from "./add-suppression.ts";
import type { SuppressionRow } from "./sql.ts";

export interface SuppressionInput {
  channel: Channel;
  address: string;
  /** Reasons other than `manual` are for imported lists. */
  reason?: string;
  expires_at?: Date | null;
}

/**
 * Suppresses an address manually. If it is already suppressed for a stronger reason, returns that suppression. Throws parameter_invalid.
 */
export async function createSuppression(ctx: Ctx, tenant: Tenant, input: SuppressionInput): Promise<SuppressionRow> {
  const fault = input.channel.addresses.fault(input.address);
  if (fault !== null) throw platformErrors.parameter_invalid({ param: "address", ...fault });
  if (input.expires_at !== undefined && input.expires_at !== null && input.expires_at <= (await findNow(ctx.db))) {
    throw platformErrors.parameter_invalid({ param: "expires_at", reason: "not_in_future", message: "The expiry must be in the future." });
  }
  return ctx.transact(async (tx) => {
    const { suppression, changed } = await addSuppression(tx, ctx, { ...input, tenant, reason: input.reason ?? "manual" });
    if (changed) {
      const detail = { channel: suppression.channel, reason: suppression.reason };
      await recordAudit(tx, { ctx, tenant, action: "suppression.created", object_type: "suppression", object_id: suppression.id, detail });
    }
    return suppression;
  });
}
