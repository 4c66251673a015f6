import { type Ctx, ownMerchantId, type Tx } from "#platform/index.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { listMerchantsOf } from "./sql.ts";

/** Audits what a person did about their own account: in the log of each merchant that they belong to, else in Tillpost's own. */
export async function recordPersonAct(tx: Tx, ctx: Ctx, given: { person_id: string; action: string; detail?: Record<string, unknown> }): Promise<void> {
  const merchants = await listMerchantsOf(tx, given.person_id);
  for (const merchantId of merchants.length === 0 ? [ownMerchantId] : merchants) {
    await recordAudit(tx, {
      ctx: { ...ctx, actor: { kind: "person", id: given.person_id } },
      tenant: null,
      merchant_id: merchantId,
      action: given.action,
      object_type: "person",
      object_id: given.person_id,
      detail: given.detail ?? {},
    });
  }
}
