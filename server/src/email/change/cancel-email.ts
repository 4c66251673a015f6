import { auditIfPerson } from "#audit/index.ts";
import { isCancelable } from "#messaging/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { emailErrors } from "../errors.ts";
import type { EmailKey } from "../rows.sql.ts";
import type { EmailBundle } from "../shapes.ts";
import { changeEmails } from "./change-emails.ts";

/**
 * Cancels a message for recipients that it hasn't reached yet. Throws resource_missing, and email_state_conflict once it is being sent or
 * has ended.
 */
export async function cancelEmail(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<EmailBundle> {
  return ctx.transact(async (tx) => {
    const bundle = await changeOne(tx, ctx, {
      key: { project_id: tenant.project_id, livemode: tenant.livemode, id },
      change: ({ email, recipients }, changed) => {
        if (!isCancelable(emailChannel, email.status) || recipients.some((row) => row.status === "sending"))
          throw emailErrors.email_state_conflict({ message: `You can't cancel an email that is ${email.status}.` });
        for (const row of recipients) if (row.state !== "done") changed(row, { status: "canceled", state: "done" });
        return {};
      },
    });
    await auditIfPerson(tx, { ctx, tenant, action: "email.canceled", object_type: "email", object_id: id, detail: {} });
    return bundle;
  });
}

/** Like `changeEmails`, for one message that must exist. */
export async function changeOne(
  tx: Tx,
  ctx: Ctx,
  { key, change }: { key: EmailKey; change: Parameters<typeof changeEmails>[2]["change"] },
): Promise<EmailBundle> {
  const [bundle] = await changeEmails(tx, ctx, { keys: [key], change });
  if (bundle === undefined) throw platformErrors.resource_missing({ param: "id" });
  return bundle;
}
