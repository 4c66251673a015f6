import type { SuppressionRow } from "#messaging/index.ts";
import { addSuppression } from "#messaging/index.ts";
import { type Ctx, canonicalAddress, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { changeEmails } from "../change/change-emails.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { isSimulated } from "../simulator/simulator.ts";
import { readUnsubscribeToken } from "./unsubscribe-token.ts";

/**
 * Suppresses the link's recipient in its project, and emits `email.unsubscribed` the first time. Throws resource_missing for a token that
 * wasn't made here.
 */
export async function unsubscribe(ctx: Ctx, token: string): Promise<SuppressionRow> {
  const read = readUnsubscribeToken(ctx, token);
  if (read === null) throw platformErrors.resource_missing({ param: "token" });
  const { tenant, email_id, address } = read;
  return ctx.transact((tx) => unsubscribeAddress(tx, ctx, { tenant, email_id, address }));
}

/** The unsubscription itself, for callers that know in another way that a recipient opted out. */
export async function unsubscribeAddress(
  tx: Tx,
  ctx: Ctx,
  given: { tenant: Tenant; email_id: string; address: string },
): Promise<SuppressionRow> {
  const { tenant, email_id, address } = given;
  const { suppression, changed } = await addSuppression(tx, ctx, {
    tenant,
    channel: emailChannel,
    address,
    reason: "unsubscribe",
    source_id: email_id,
  });
  if (changed || isSimulated(address)) {
    await changeEmails(tx, ctx, {
      keys: [{ ...tenant, id: email_id }],
      change: ({ recipients }) => ({
        event: { event: "unsubscribed", recipient: recipients.find((row) => canonicalAddress(row.address) === suppression.address) },
      }),
    });
  }
  return suppression;
}
