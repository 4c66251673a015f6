import type { NewEvent } from "#events/index.ts";
import { messageEvent, type Place } from "#messaging/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import { emailChannel } from "./channel/email-channel.ts";
import type { Bounce, EmailBundle, RecipientRow } from "./shapes.ts";

/** What an event contains in addition to the message and its place in the message's history: the fields of this kind of event. */
export interface EmailChange {
  event: string;
  /** The recipient that it is about, if it is about one. */
  recipient?: RecipientRow | undefined;
  bounce?: Bounce | undefined;
  open?: object | undefined;
  click?: object | undefined;
  /** An inbound email about the message. */
  inbound?: object | undefined;
}

/** A message's event, with the message as it is afterwards. */
export function emailEvent(bundle: EmailBundle, change: EmailChange, place: Place): NewEvent & { tenant: Tenant } {
  const { recipient, bounce, open, click, inbound } = change;
  const details = {
    ...(recipient === undefined ? {} : { recipient: recipient.address }),
    ...(bounce === undefined ? {} : { bounce: { ...bounce, recipient: recipient?.address ?? null } }),
    ...(open === undefined ? {} : { open }),
    ...(click === undefined ? {} : { click }),
    ...(inbound === undefined ? {} : { inbound }),
  };
  return messageEvent(emailChannel, bundle.email, { event: change.event, place, shown: shownIn(bundle), details });
}

function shownIn({ email, recipients }: EmailBundle) {
  return {
    id: email.id,
    object: "email",
    status: email.status,
    from: email.from_text,
    to: email.addressees.to,
    subject: email.subject,
    message_id: email.message_id,
    category: email.category,
    tags: email.tags,
    metadata: email.metadata,
    batch_id: email.batch_id,
    error: email.error,
    recipients: recipients.map(({ address, type, status }) => ({ address, type, status })),
    created_at: isoOf(email.created_at),
  };
}
