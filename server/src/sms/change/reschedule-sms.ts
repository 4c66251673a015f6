import { auditIfPerson, withPrevious } from "#audit/index.ts";
import { findGuard, startAfterQuiet } from "#guards/index.ts";
import { expiryFrom, isReschedulable, readNewTime, requireVersion } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { smsErrors } from "../errors.ts";
import type { SmsRow } from "../shapes.ts";
import { changeOne } from "./change-sms.ts";

interface Reschedule {
  id: string;
  scheduled_at: string | Date;
  /** Refused if the message has another version by now. */
  version?: number;
}

/**
 * Changes the time of a message before its first attempt. One that was to be sent right away becomes scheduled, and a time in quiet hours
 * moves to their end. Its lifetime after the new time is the same as after the old one. Throws resource_missing, version_conflict,
 * sms_state_conflict, parameter_invalid for a time outside the next thirty days.
 */
export async function rescheduleSms(ctx: Ctx, tenant: Tenant, input: Reschedule): Promise<SmsRow> {
  const wanted = await readNewTime(ctx, input.scheduled_at);
  const guard = await findGuard(ctx, tenant);
  return ctx.transact(async (tx) => {
    let before: Date | null = null;
    const sms = await changeOne(tx, ctx, {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id: input.id },
      change(held) {
        requireVersion(input.version, held);
        const isUntouched = held.attempts === 0 && (held.state === "waiting" || held.state === "due");
        if (!isUntouched || !isReschedulable(held.status)) throw smsErrors.sms_state_conflict({ message: refusalOf(held) });
        before = held.scheduled_at;
        const { category: kind, country } = held;
        const at = kind === null ? wanted : startAfterQuiet(guard, { kind, country, at: wanted });
        const times = { scheduled_at: at, due_at: at, expires_at: expiryFrom(at, held) };
        // A message that becomes scheduled gets its new version from the change of status.
        const version = held.status === "scheduled" ? held.version + 1 : held.version;
        return { status: "scheduled", state: "waiting", version, ...times };
      },
    });
    const detail = withPrevious({ scheduled_at: sms.scheduled_at }, { scheduled_at: before });
    await auditIfPerson(tx, { ctx, tenant, action: "sms.rescheduled", object_type: "sms", object_id: input.id, detail });
    return sms;
  });
}

function refusalOf({ status }: SmsRow): string {
  if (isReschedulable(status)) return "This SMS is already being sent and can't be rescheduled.";
  return `You can't reschedule an SMS that is ${status}.`;
}
