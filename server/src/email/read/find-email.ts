import { type Ctx, ownProject, platformErrors, type Tenant } from "#platform/index.ts";
import { findBody, findEmailRow, listRecipients } from "../rows.sql.ts";
import type { EmailRow, FoundEmail, RecipientRow } from "../shapes.ts";

/** One message with its recipients and, while they are retained, its texts; secret ones are shown to no one. Throws resource_missing. */
export async function findEmail(ctx: Ctx, tenant: Tenant, id: string): Promise<FoundEmail> {
  const [email, recipients, body] = await Promise.all([
    findEmailRow(ctx.db, tenant, id),
    listRecipients(ctx.db, tenant, [id]),
    findBody(ctx, tenant, id),
  ]);
  if (email === null) throw platformErrors.resource_missing({ param: "id" });
  return { email, recipients, body: isHidden(email) ? null : body };
}

/** True if a message's texts are hidden from everyone. System emails have their own rules. */
export function isHidden({ secret, project_id }: EmailRow): boolean {
  return secret && project_id !== ownProject.project_id;
}

/** The copy of a message that a tracking or unsubscribe address was made for; null if there isn't one. */
export async function findEmailCopy(
  ctx: Ctx,
  tenant: Tenant,
  { email_id, recipient_id }: { email_id: string; recipient_id: string },
): Promise<{ email: EmailRow; recipient: RecipientRow } | null> {
  const [email, recipients] = await Promise.all([findEmailRow(ctx.db, tenant, email_id), listRecipients(ctx.db, tenant, [email_id])]);
  const recipient = recipients.find((row) => row.id === recipient_id);
  return email === null || recipient === undefined ? null : { email, recipient };
}
