import { auditIfPerson, withPrevious } from "#audit/index.ts";
import { findGuard, startAfterQuiet } from "#guards/index.ts";
import { expiryFrom, isReschedulable, readNewTime, requireVersion } from "#messaging/index.ts";
import { atNow, type Ctx, type Tenant } from "#platform/index.ts";
import { callErrors } from "../errors.ts";
import type { CallRow } from "../shapes.ts";
import { type Change, changeCall } from "./change-calls.ts";

interface Reschedule {
  id: string;
  scheduled_at: string | Date;
  /** Refused if the call has another version by now. */
  version?: number;
}

/**
 * Changes the time of a call that no worker has; one that was to be placed right away becomes scheduled, and a time in quiet hours moves to
 * their end. Its lifetime after the new time is the same as after the old one. Throws resource_missing, version_conflict,
 * call_state_conflict, parameter_invalid for a time outside the next thirty days.
 */
export async function rescheduleCall(ctx: Ctx, tenant: Tenant, input: Reschedule): Promise<CallRow> {
  const wanted = await readNewTime(ctx, input.scheduled_at);
  const guard = await findGuard(ctx, tenant);
  return ctx.transact(async (tx) => {
    let before: Date | null = null;
    const call = await changeCall(tx, await atNow(ctx, tx), {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id: input.id },
      change(held): Change {
        requireVersion(input.version, held);
        const isUntouched = held.attempts === 0 && (held.state === "waiting" || held.state === "due");
        if (!isUntouched || !isReschedulable(held.status)) throw callErrors.call_state_conflict({ message: refusalOf(held) });
        before = held.scheduled_at;
        // Codes never wait.
        const at = held.sealed_said === null ? startAfterQuiet(guard, { kind: "calls", country: held.country, at: wanted }) : wanted;
        const times = { scheduled_at: at, due_at: at, expires_at: expiryFrom(at, held) };
        // A call that becomes scheduled gets its new version from the change of status.
        const version = held.status === "scheduled" ? held.version + 1 : held.version;
        return { to: { status: "scheduled", state: "waiting", version, ...times } };
      },
    });
    const detail = withPrevious({ scheduled_at: call.scheduled_at }, { scheduled_at: before });
    await auditIfPerson(tx, { ctx, tenant, action: "call.rescheduled", object_type: "call", object_id: input.id, detail });
    return call;
  });
}

function refusalOf({ status }: CallRow): string {
  if (isReschedulable(status)) return "This call is already being placed and can't be rescheduled.";
  return `You can't reschedule a call that is ${status}.`;
}
