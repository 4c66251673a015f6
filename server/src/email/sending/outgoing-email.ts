import type { Ctx, Tenant } from "#platform/index.ts";
import { addressList } from "../accept/check-email.ts";
import { returnPathOf } from "../bounce/return-path.ts";
import { type Compose, composeApart } from "../compose/compose-apart.ts";
import { findSender } from "../domain/find-sender.ts";
import { linkBaseOf } from "../links/link-host.ts";
import type { EmailRow, RecipientRow, SendBody } from "../shapes.ts";
import { trackingOf } from "../tracking/track-html.ts";
import type { OutgoingEmail } from "../transport.ts";
import { unsubscribeUrl } from "../unsubscribe/unsubscribe-token.ts";

interface Copy {
  email: EmailRow;
  recipient: Pick<RecipientRow, "id" | "address" | "attempts" | "smtp_code" | "enhanced_code">;
  body: SendBody;
  /** How it is composed; in threads of this process unless a test sets it. */
  compose?: Compose | undefined;
}

const largeBytes = 256 * 1024;

/** True for messages with their own thread and turn, so that small ones don't wait for them. */
export function isLarge({ size_bytes }: Pick<EmailRow, "size_bytes">): boolean {
  return size_bytes > largeBytes;
}

/** One recipient's copy of a message, signed, with the links of this recipient. Throws TooComplex. */
export async function outgoingEmailOf(ctx: Ctx, copy: Copy): Promise<OutgoingEmail> {
  const { email, recipient } = copy;
  const tenant: Tenant = { project_id: email.project_id, livemode: email.livemode };
  const { dkim, bounce_domain, links } = await findSender(ctx, tenant, email.from_address);
  const bounces = bounce_domain ?? ctx.mail.bounceDomain;
  const { compose = composeApart } = copy;
  const raw = await compose({ ...(await partsOf(ctx, copy, links ?? linkBaseOf(ctx.mail))), dkim }, { isLarge: isLarge(email) });
  return {
    ...tenant,
    email_id: email.id,
    recipient_id: recipient.id,
    to: recipient.address,
    // Without a bounce domain, bounces go to the sender: an empty return path is for reports, and relays refuse it.
    return_path: bounces === null ? email.from_address : returnPathOf(ctx.masterKeys, bounces, recipient.id),
    raw,
    message_id: email.message_id,
    attempt: recipient.attempts,
    previous: { smtp_code: recipient.smtp_code, enhanced_code: recipient.enhanced_code },
    expires_at: email.expires_at,
  };
}

async function partsOf(ctx: Ctx, { email, recipient, body }: Copy, base: string) {
  const tenant: Tenant = { project_id: email.project_id, livemode: email.livemode };
  const { to, cc, reply_to } = email.addressees;
  const { opens, clicks, unsubscribe } = email.features;
  const given = { tenant, email_id: email.id, recipient_id: recipient.id, opens, clicks, base };
  return {
    message_id: email.message_id,
    date: email.scheduled_at ?? email.created_at,
    from: email.from_text,
    to: addressList(to),
    cc: addressList(cc),
    reply_to: addressList(reply_to),
    subject: email.subject,
    html: body.html,
    text: body.text,
    tracking: body.html === null ? null : trackingOf(ctx, given),
    headers: body.headers,
    attachments: await attachmentsOf(ctx, body),
    feedback_id: feedbackIdOf(email),
    unsubscribe: unsubscribe ? { url: unsubscribeUrl(ctx, { tenant, email_id: email.id, address: recipient.address }, base) } : null,
  };
}

/** Providers count complaints by each of these parts: the batch if there is one, the project, the category, and the platform. */
function feedbackIdOf({ batch_id, project_id, category }: EmailRow): string {
  return [...(batch_id === null ? [] : [batch_id]), project_id, category, "tillpost"].join(":");
}

/** A missing file is our own fault: a message must not be sent without its attachment. */
async function attachmentsOf(ctx: Ctx, body: SendBody) {
  const found = [];
  for (const { filename, content_type, content_id, file } of body.attachments) {
    const content = await ctx.files.get(file);
    if (content === null) throw new Error(`the attachment ${file} is gone`);
    found.push({ filename, content_type, content_id, content });
  }
  return found;
}
