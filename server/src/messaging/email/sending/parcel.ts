import type { Ctx, Tenant } from "#platform/index.ts";
import { findSender } from "../../domain/find-sender.ts";
import { unsubscribeUrl } from "../../unsubscribe/unsubscribe-token.ts";
import { addressList } from "../accept/check-email.ts";
import { returnPathOf } from "../bounce/return-path.ts";
import { composeApart } from "../compose/compose-apart.ts";
import { composeEmail } from "../compose/compose-email.ts";
import { textOfHtml } from "../compose/text-of-html.ts";
import type { EmailBody, EmailRow, RecipientRow } from "../shapes.ts";
import type { Parcel } from "../transport.ts";

interface Copy {
  email: EmailRow;
  recipient: Pick<RecipientRow, "id" | "address" | "attempts">;
  body: EmailBody;
}

const largeBytes = 256 * 1024;

/** Large messages are composed in a thread of their own, where they hold up nobody. */
export function isLarge({ size_bytes }: Pick<EmailRow, "size_bytes">): boolean {
  return size_bytes > largeBytes;
}

/** One recipient's copy of a message, signed, with the addresses in it that are this recipient's own. */
export async function parcelOf(ctx: Ctx, copy: Copy): Promise<Parcel> {
  const { email, recipient } = copy;
  const tenant: Tenant = { project_id: email.project_id, livemode: email.livemode };
  const { dkim, bounce_domain } = await findSender(ctx, tenant, email.from_address);
  const bounces = bounce_domain ?? ctx.mail.bounceDomain;
  const parts = { ...(await partsOf(ctx, copy)), dkim };
  const raw = await (isLarge(email) ? composeApart(parts) : composeEmail(parts));
  return {
    ...tenant,
    email_id: email.id,
    recipient_id: recipient.id,
    to: recipient.address,
    // Without a place of our own for bounces they go to the sender: an empty return path is for reports, and relays refuse it.
    return_path: bounces === null ? email.from_address : returnPathOf(ctx.masterKeys, bounces, recipient.id),
    raw,
    message_id: email.message_id,
    attempt: recipient.attempts,
    expires_at: email.expires_at,
  };
}

async function partsOf(ctx: Ctx, { email, recipient, body }: Copy) {
  const tenant: Tenant = { project_id: email.project_id, livemode: email.livemode };
  const { to, cc, reply_to } = email.addressees;
  const { opens, clicks, unsubscribe } = email.features;
  const tracked = body.html !== null && (opens || clicks);
  // Addresses that are tracked are no reading: a text made here shows where its links lead.
  const text = tracked && body.text === null ? await textOfHtml(body.html ?? "") : body.text;
  const given = { tenant, email_id: email.id, recipient_id: recipient.id, html: body.html ?? "", opens, clicks };
  // The reader of HTML is loaded with the first mail that is tracked.
  const html = tracked ? (await import("../../tracking/track-html.ts")).trackHtml(ctx, given) : body.html;
  return {
    message_id: email.message_id,
    date: email.scheduled_at ?? email.created_at,
    from: email.from_text,
    to: addressList(to),
    cc: addressList(cc),
    reply_to: addressList(reply_to),
    subject: email.subject,
    html,
    text,
    headers: body.headers,
    attachments: await attachmentsOf(ctx, body),
    unsubscribe: unsubscribe ? { url: unsubscribeUrl(ctx, { tenant, email_id: email.id, address: recipient.address }) } : null,
  };
}

/** A file that is gone is a fault of ours: a message without its attachment must not go out. */
async function attachmentsOf(ctx: Ctx, body: EmailBody) {
  const found = [];
  for (const { filename, content_type, content_id, file } of body.attachments) {
    const content = await ctx.files.get(file);
    if (content === null) throw new Error(`the attachment ${file} is gone`);
    found.push({ filename, content_type, content_id, content });
  }
  return found;
}
