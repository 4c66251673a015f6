import type { NewEvent } from "#events/index.ts";
import { isoOf, type Tenant } from "#platform/index.ts";
import type { EmailStatus } from "../states.ts";
import type { Bounce, EmailBundle, RecipientRow } from "./shapes.ts";

/** What an event tells besides the message: its place in the message's history, and what only this kind of event has. */
export interface Told {
  event: string;
  previous_status: EmailStatus | null;
  sequence: number;
  occurred_at: Date;
  /** The one recipient that it is about, where it is about one. */
  recipient?: RecipientRow | undefined;
  bounce?: Bounce | undefined;
  open?: object | undefined;
  click?: object | undefined;
  /** A mail that came in about the message. */
  inbound?: object | undefined;
}

/** An event of a message, with the message as it is afterwards. */
export function emailEvent({ email, recipients }: EmailBundle, told: Told): NewEvent & { tenant: Tenant } {
  const { event, previous_status, sequence, occurred_at, recipient, bounce, open, click, inbound } = told;
  return {
    tenant: { project_id: email.project_id, livemode: email.livemode },
    event: `email.${event}`,
    object_id: email.id,
    callback_url: email.status_callback,
    data: {
      email: {
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
      },
      previous_status,
      sequence,
      occurred_at: isoOf(occurred_at),
      ...(recipient === undefined ? {} : { recipient: recipient.address }),
      ...(bounce === undefined ? {} : { bounce: { ...bounce, recipient: recipient?.address ?? null } }),
      ...(open === undefined ? {} : { open }),
      ...(click === undefined ? {} : { click }),
      ...(inbound === undefined ? {} : { inbound }),
    },
  };
}
