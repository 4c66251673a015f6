import { auditIfPerson } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { smsErrors } from "../errors.ts";
import { lockSms } from "../rows.sql.ts";
import { redactText } from "./redact-text.ts";
import { updateDeletedBody } from "./sql.ts";

/**
 * Deletes a message's text permanently, in its events too; the message remains. Repeating it changes nothing. Throws resource_missing, and
 * sms_state_conflict while the message is still to be sent: cancel it first.
 */
export async function deleteSmsBody(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<void> {
  const key = { project_id: tenant.project_id, livemode: tenant.livemode, id };
  await ctx.transact(async (tx) => {
    const [held] = await lockSms(tx, [key]);
    if (held === undefined) throw platformErrors.resource_missing({ param: "id" });
    if (held.state !== "done")
      throw smsErrors.sms_state_conflict({
        message: `You can't delete the text of an SMS that is ${held.status}: it's still needed to send it.`,
      });
    if (!(await updateDeletedBody(tx, key))) return;
    if (held.direction === "inbound") await redactText(tx, key);
    await auditIfPerson(tx, { ctx, tenant, action: "sms.body_deleted", object_type: "sms", object_id: id, detail: {} });
  });
}
