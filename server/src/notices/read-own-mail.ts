import { recordAudit } from "#identity/index.ts";
import { type FoundEmail, findEmail } from "#messaging/index.ts";
import { type Ctx, ownMerchantId, ownProject } from "#platform/index.ts";

/** One of Tillpost's own mails with its texts. Written into the audit log: it may hold a link that opens somebody's account. Throws resource_missing. */
export async function readOwnMail(ctx: Ctx, { id }: { id: string }): Promise<FoundEmail> {
  const found = await findEmail(ctx, ownProject, id);
  await ctx.transact((tx) =>
    recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: ownMerchantId,
      action: "own_mail.read",
      object_type: "email",
      object_id: id,
      detail: { to: found.recipients.map(({ address }) => address) },
    }),
  );
  return found;
}
