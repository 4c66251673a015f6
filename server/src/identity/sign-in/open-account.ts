import { recordAudit } from "#audit/index.ts";
import type { Ctx } from "#platform/index.ts";
import { joinMerchant } from "../members/add-member.ts";
import { insertMerchant } from "../merchants/sql.ts";
import { endProvisionalOperators } from "../people/end-provisional.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { currentUnit } from "./unit.ts";

/** Makes someone who signs up the owner of a new merchant, not yet verified, in the same transaction. */
export async function openAccount(person: { id: string; name: string }): Promise<void> {
  const { tx, ctx, merchantName } = currentUnit();
  const acting: Ctx = { ...ctx, actor: { kind: "person", id: person.id } };
  const now = ctx.now();
  const display_name = merchantName ?? person.name;
  const merchant = await insertMerchant(tx, { id: ctx.id("mer"), display_name, country: null, messaging_tier: "free", created_at: now });
  await recordAudit(tx, {
    ctx: acting,
    tenant: null,
    merchant_id: merchant.id,
    action: "merchant.created",
    object_type: "merchant",
    object_id: merchant.id,
    detail: {},
  });
  await joinMerchant(tx, acting, { merchant_id: merchant.id, person_id: person.id, role: "owner" });
  await recordPersonAction(tx, acting, { person_id: person.id, action: "person.created" });
  await endProvisionalOperators(tx, acting, person.id);
}
