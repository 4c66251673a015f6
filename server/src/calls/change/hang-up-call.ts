import { auditIfPerson } from "#audit/index.ts";
import { atNow, type Ctx, hint, type Tenant } from "#platform/index.ts";
import { callErrors } from "../errors.ts";
import type { CallRow } from "../shapes.ts";
import { isEnded } from "../states.ts";
import { type Change, changeCall } from "./change-calls.ts";
import { transactCall } from "./transact-call.ts";

/**
 * Ends a call in any state: one that no worker has is canceled right away; otherwise the process that runs it hangs up. Repeating it
 * changes nothing. Throws resource_missing, and call_state_conflict once it has ended.
 */
export function hangUpCall(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<CallRow> {
  return transactCall(ctx, tenant, async (tx) => {
    const pinned = await atNow(ctx, tx);
    const now = pinned.now();
    const call = await changeCall(tx, pinned, {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id },
      change(held): Change {
        if (isEnded(held.status)) throw callErrors.call_state_conflict({ message: `You can't hang up a call that is ${held.status}.` });
        if (held.state !== "leased") return { to: { status: "canceled", hangup_by: "caller", hangup_asked_at: now, ended_at: now } };
        return { to: { hangup_asked_at: held.hangup_asked_at ?? now } };
      },
    });
    hint(tx, "call_hangups");
    await auditIfPerson(tx, { ctx, tenant, action: "call.hung_up", object_type: "call", object_id: id, detail: { status: call.status } });
    return call;
  });
}
