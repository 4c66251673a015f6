import { auditIfPerson, withPrevious } from "#audit/index.ts";
import { expiryFrom, isReschedulable, readNewTime, requireVersion } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { emailErrors } from "../errors.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import { changeOne } from "./cancel-email.ts";

interface Reschedule {
  id: string;
  scheduled_at: string | Date;
  /** Refused if the message has another version by now. */
  version?: number;
}

/**
 * Changes the time of a message without attempts; one that was to be sent right away becomes scheduled. Its lifetime after the new time is
 * the same as after the old one. Throws resource_missing, version_conflict, email_state_conflict, parameter_invalid for a time outside the
 * next thirty days.
 */
export async function rescheduleEmail(ctx: Ctx, tenant: Tenant, input: Reschedule): Promise<EmailBundle> {
  const at = await readNewTime(ctx, input.scheduled_at);
  return ctx.transact(async (tx) => {
    let before: Date | null = null;
    const bundle = await changeOne(tx, ctx, {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id: input.id },
      change: ({ email, recipients }, changed) => {
        requireVersion(input.version, email);
        if (!isReschedulable(email.status))
          throw emailErrors.email_state_conflict({ message: `You can't reschedule an email that is ${email.status}.` });
        if (!recipients.every(isUntouched))
          throw emailErrors.email_state_conflict({ message: "This email is being sent or is delayed for a recipient." });
        email.expires_at = expiryFrom(at, email);
        before = email.scheduled_at;
        const wasScheduled = email.status === "scheduled";
        email.scheduled_at = at;
        if (wasScheduled) email.version += 1;
        for (const row of recipients)
          if (row.state !== "done") changed(row, { status: "scheduled", state: "waiting", due_at: at, expires_at: email.expires_at });
        return {};
      },
    });
    const detail = withPrevious({ scheduled_at: at }, { scheduled_at: before });
    await auditIfPerson(tx, { ctx, tenant, action: "email.rescheduled", object_type: "email", object_id: input.id, detail });
    return bundle;
  });
}

/** A delayed copy may have no attempt either, but it can't become scheduled again. */
function isUntouched({ attempts, state, status }: RecipientRow): boolean {
  if (attempts > 0) return false;
  return status === "suppressed" || ((state === "waiting" || state === "due") && isReschedulable(status));
}
