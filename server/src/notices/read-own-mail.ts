import { recordAudit } from "#audit/index.ts";
import { type FoundEmail, findEmail } from "#email/index.ts";
import { type Ctx, ownMerchantId, ownProject } from "#platform/index.ts";
import { kindTable } from "./kinds/prepare.ts";
import type { KindRules } from "./kinds/prepared.ts";

/** A system email; `withheld`: only its recipient may see its texts. */
export type OwnMail = FoundEmail & { withheld: boolean };

/**
 * A system email with its texts. If email is sent, the texts with a link that opens an account are only for their recipient; while it
 * isn't, an operator passes the link on. Reading is recorded in the audit log. Throws resource_missing.
 */
export async function readOwnMail(ctx: Ctx, { id }: { id: string }): Promise<OwnMail> {
  const found = await findEmail(ctx, ownProject, id);
  if (ctx.mail.transport !== "outbox" && mayOpenAccount(found)) return { ...found, body: null, withheld: true };
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
  return { ...found, withheld: false };
}

const harmless = new Set(
  Object.entries(kindTable as Record<string, Pick<KindRules<never>, "opensAccount">>).flatMap(([kind, rules]) =>
    rules.opensAccount ? [] : [kind.replace(".", "_")],
  ),
);

/** An email of an unknown kind counts as if it did. */
function mayOpenAccount({ email }: FoundEmail): boolean {
  const kind = email.tags.find(({ name }) => name === "notice")?.value;
  return kind === undefined || !harmless.has(kind);
}
