import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { TooComplex } from "../compose/compose-apart.ts";
import { emailErrors } from "../errors.ts";
import { findEmailRow, findSendBody, listRecipients } from "../rows.sql.ts";
import { outgoingEmailOf } from "../sending/outgoing-email.ts";
import type { RecipientRow } from "../shapes.ts";
import { isHidden } from "./find-email.ts";

/**
 * The raw message as its first recipient gets it, composed again from stored data: same texts and Message-ID, but different boundaries and
 * signature. Throws resource_missing, also once the texts are deleted, and email_state_conflict if it can't be composed.
 */
export async function findEmailSource(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<{ raw: Buffer }> {
  const [email, recipients, body] = await Promise.all([
    findEmailRow(ctx.db, tenant, id),
    listRecipients(ctx.db, tenant, [id]),
    findSendBody(ctx, tenant, id),
  ]);
  if (email === null) throw platformErrors.resource_missing({ param: "id" });
  if (body === null || isHidden(email))
    throw platformErrors.resource_missing({ param: "id", message: "The body of this message has been deleted." });
  try {
    const { raw } = await outgoingEmailOf(ctx, { email, recipient: recipients[0] as RecipientRow, body });
    return { raw };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    throw emailErrors.email_state_conflict({ message: `${error.message} It has no source.` });
  }
}
