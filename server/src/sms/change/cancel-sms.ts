import { auditIfPerson } from "#audit/index.ts";
import { isCancelable } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { smsChannel } from "../channel/sms-channel.ts";
import { smsErrors } from "../errors.ts";
import type { SmsRow } from "../shapes.ts";
import { changeOne } from "./change-sms.ts";

/**
 * Cancels a message that wasn't sent yet. Throws resource_missing, and sms_state_conflict once it is being sent or has ended, or some of
 * its parts were sent.
 */
export async function cancelSms(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<SmsRow> {
  return ctx.transact(async (tx) => {
    const sms = await changeOne(tx, ctx, {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id },
      change: ({ status, segments_sent }) => {
        if (!isCancelable(smsChannel, status))
          throw smsErrors.sms_state_conflict({ message: `You can't cancel an SMS that is ${status}.` });
        if (segments_sent > 0)
          throw smsErrors.sms_state_conflict({ message: "Parts of this SMS were already sent, so it can't be canceled." });
        return { status: "canceled", state: "done" };
      },
    });
    await auditIfPerson(tx, { ctx, tenant, action: "sms.canceled", object_type: "sms", object_id: id, detail: {} });
    return sms;
  });
}
