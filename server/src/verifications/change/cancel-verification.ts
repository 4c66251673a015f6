import { auditIfPerson } from "#audit/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { VerificationRow } from "../shapes.ts";
import { changeVerifications, plainOf } from "./change-verifications.ts";
import { holdPending } from "./hold-pending.ts";

/** Ends a verification early: no code is accepted anymore. Throws resource_missing, verification_state_conflict. */
export function cancelVerification(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<VerificationRow> {
  return ctx.transact(async (tx) => {
    const { held, pinned } = await holdPending(tx, ctx, { ...tenant, id });
    await changeVerifications(tx, pinned, { held: [held], change: () => ({ to: { status: "canceled" } }) });
    await auditIfPerson(tx, {
      ctx: pinned,
      tenant,
      action: "verification.canceled",
      object_type: "verification",
      object_id: id,
      detail: {},
    });
    return plainOf(held);
  });
}
