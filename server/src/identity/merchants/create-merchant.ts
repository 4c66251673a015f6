import { recordAudit } from "#audit/index.ts";
import { type Ctx, refuseAddressesIn } from "#platform/index.ts";
import { insertMerchant, type MerchantRow } from "./sql.ts";

export interface NewMerchant {
  display_name: string;
  country?: string | null;
  messaging_tier?: MerchantRow["messaging_tier"];
}

/** Opens a merchant account that isn't verified yet. */
export function createMerchant(ctx: Ctx, input: NewMerchant): Promise<MerchantRow> {
  refuseAddressesIn({ display_name: input.display_name });
  return ctx.transact(async (tx) => {
    const row = await insertMerchant(tx, {
      id: ctx.id("mer"),
      display_name: input.display_name,
      country: input.country ?? null,
      messaging_tier: input.messaging_tier ?? "free",
      created_at: ctx.now(),
    });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.id,
      action: "merchant.created",
      object_type: "merchant",
      object_id: row.id,
      detail: {},
    });
    return row;
  });
}
