import { recordAudit } from "#audit/index.ts";
import { type Actor, type Ctx, notice, ownMerchantId, type Tx } from "#platform/index.ts";
import { listMerchantsOf } from "./sql.ts";

export interface PersonAction {
  person_id: string;
  action: string;
  detail?: Record<string, unknown>;
  /** Also notifies the person, if they should know about it in case they didn't do it. */
  notify?: boolean;
}

/** Actions that a person is notified of, by the name that emails use for them. */
const notified: Record<string, string> = {
  "person.password_changed": "password_changed",
  "person.password_reset": "password_changed",
  "person.two_factor_enabled": "two_factor_enabled",
  "person.two_factor_disabled": "two_factor_disabled",
  "person.recovered": "two_factor_disabled",
  "person.recovery_codes_made": "recovery_codes_created",
  "person.recovery_code_used": "recovery_code_used",
  "person.passkey_added": "passkey_added",
  "person.passkey_removed": "passkey_removed",
};

/** The actor of requests to `/api/auth` from visitors who aren't signed in. */
export const unknownVisitor: Actor = { kind: "person", id: "unknown" };

/** With a person as the actor instead of the unknown visitor that they are; any other actor remains. */
export function actingAs(ctx: Ctx, personId: string): Ctx {
  const { kind, id } = ctx.actor;
  return kind === unknownVisitor.kind && id === unknownVisitor.id ? { ...ctx, actor: { kind: "person", id: personId } } : ctx;
}

/**
 * Audits what happened to a person's account, by themselves or by someone else such as the operator at the command line: in the log of each
 * merchant that they belong to, or in Tillpost's own if there is none.
 */
export async function recordPersonAction(tx: Tx, ctx: Ctx, given: PersonAction): Promise<void> {
  const { person_id, action, detail = {} } = given;
  const merchants = await listMerchantsOf(tx, person_id);
  for (const merchantId of merchants.length === 0 ? [ownMerchantId] : merchants) {
    await recordAudit(tx, {
      ctx: actingAs(ctx, person_id),
      tenant: null,
      merchant_id: merchantId,
      action,
      object_type: "person",
      object_id: person_id,
      detail,
    });
  }
  const change = given.notify === true ? notified[action] : undefined;
  if (change === undefined) return;
  await notice(tx, ctx, {
    kind: "security_changed",
    recipient: person_id,
    params: { at: ctx.now(), change, address: detail["address"] ?? null },
  });
}
