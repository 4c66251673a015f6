import Type from "typebox";
import { type EmailBody, type EmailBundle, emailStatuses, type FoundEmail, type RecipientRow } from "#email/index.ts";
import { isoOf } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, shapeOrNull, text, textOrNull } from "../fields/fields.ts";
import { metadataOut, tagsOut } from "../fields/labels.ts";
import { addresses, emailCategories } from "./email-in.ts";

const recipientTypes = ["to", "cc", "bcc"] as const;

export type EmailShape = ReturnType<typeof showEmail>;

interface Named {
  name: string;
  value: string;
}

const recipient = Type.Object(
  {
    address: text("The address.", ["ada@example.com"]),
    type: oneOf(recipientTypes, "The field it was in: to, cc or bcc."),
    status: oneOf(emailStatuses, "This copy's status."),
    attempts: integer("How many times delivery was attempted."),
    next_attempt_at: instantOrNull("When the next attempt is due; null if there is none."),
    smtp_code: Type.Unsafe<number | null>({
      type: ["integer", "null"],
      description: "The receiving server's last response.",
      examples: [550],
    }),
    enhanced_code: textOrNull("Its enhanced status code, such as `5.1.1`."),
    diagnostic: textOrNull("Its words."),
    bounce: shapeOrNull<{ type: string; subtype: string }>("Why it wasn't delivered.", {
      type: text("`permanent`, `transient` or `undetermined`.", ["permanent"]),
      subtype: text("The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on.", ["no_email"]),
    }),
    sent_at: instantOrNull("When it was sent."),
    delivered_at: instantOrNull("When the recipient's server accepted it."),
  },
  { additionalProperties: false, description: "One recipient's copy." },
);

const attachmentOut = Type.Object(
  {
    filename: text("Its name."),
    content_type: textOrNull("Its media type."),
    content_id: textOrNull("Its ID in the HTML."),
    size_bytes: integer("Its size."),
  },
  { additionalProperties: false, description: "An attached file." },
);

/** Why a message wasn't delivered. */
export const messageError = shapeOrNull<MessageError>("Why it wasn't delivered.", {
  code: text("The error code."),
  message: text("The error in plain words."),
  provider_code: textOrNull("The carrier's error code."),
});

export const emailSchema = shape("Email", "An email, with the status of each recipient's copy.", {
  id: idOf("em", "The message's ID."),
  object: oneOf(["email"], "Always `email`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  status: oneOf(emailStatuses, "With several recipients, the status of the recipient furthest from done."),
  last_event: textOrNull("The latest event's name without `email.`. Opens and clicks only show here."),
  from: text("The sender, as you sent it.", ["Corner Books <orders@shop.example.com>"]),
  to: addresses("The recipients, in the form you sent."),
  cc: Type.Array(Type.String(), { description: "Recipients of copies." }),
  bcc: Type.Array(Type.String(), { description: "Hidden recipients." }),
  reply_to: Type.Array(Type.String(), { description: "Where replies go." }),
  subject: text("The subject."),
  html: textOrNull("The HTML. Only when retrieving one message, for 30 days."),
  text: textOrNull("The plain text. Only when retrieving one message, for 30 days."),
  headers: Type.Unsafe<Record<string, string> | null>({
    type: ["object", "null"],
    additionalProperties: { type: "string" },
    description: "Your own headers. Only when retrieving one message, for 30 days.",
  }),
  attachments: Type.Unsafe<AttachmentShape[] | null>({
    type: ["array", "null"],
    items: attachmentOut,
    description: "The files' names and sizes. Only when retrieving one message, for 30 days.",
  }),
  body_expired: flag("True if you retrieved one message and its body has been deleted."),
  body_withheld: flag("True for a system email whose text only its recipient may read, because its link grants access to an account."),
  message_id: text("The `Message-ID` header."),
  category: oneOf(emailCategories, "The kind of email."),
  recipients: Type.Array(recipient, { description: "Each recipient's copy." }),
  opens: integer("How many times it was opened, not counting machines."),
  clicks: integer("How many times a link was clicked, not counting machines."),
  tracking: Type.Object(
    { opens: flag("Opens are tracked."), clicks: flag("Clicks are tracked.") },
    { additionalProperties: false, description: "What is tracked." },
  ),
  unsubscribe: flag("Whether it has one-click unsubscribe."),
  tags: tagsOut,
  metadata: metadataOut,
  status_callback: textOrNull("The address that receives its events in addition to webhooks."),
  batch_id: textOrNull("The batch it was sent in."),
  provider: textOrNull("The transport that carried it: `outbox`, `relay`, `mx` or `simulator`."),
  error: messageError,
  scheduled_at: instantOrNull("When it's scheduled to be sent."),
  expires_at: instant("When Tillpost stops trying to deliver it."),
  sent_at: instantOrNull("When the first copy was sent."),
  delivered_at: instantOrNull("When the first copy was delivered."),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was accepted."),
  updated_at: instant("When it was last updated."),
});

interface MessageError {
  code: string;
  message: string;
  provider_code: string | null;
}

interface AttachmentShape {
  filename: string;
  content_type: string | null;
  content_id: string | null;
  size_bytes: number;
}

/** A message without its body, as lists and actions return it. */
export function showEmail(bundle: EmailBundle) {
  return emailFieldsOf(bundle, noBody);
}

/** One message with its body, while that is retained. `withheld`: it is retained, but not shown. */
export function showFullEmail({ body, withheld = false, ...bundle }: FoundEmail & { withheld?: boolean }): EmailShape {
  return emailFieldsOf(bundle, body === null || withheld ? { ...noBody, body_expired: !withheld, body_withheld: withheld } : bodyOf(body));
}

const noBody: ShownBody = { html: null, text: null, headers: null, attachments: null, body_expired: false, body_withheld: false };

interface ShownBody {
  html: string | null;
  text: string | null;
  headers: Record<string, string> | null;
  attachments: AttachmentShape[] | null;
  body_expired: boolean;
  body_withheld: boolean;
}

function bodyOf({ html, text: plain, headers, attachments }: EmailBody): ShownBody {
  const files = attachments.map(({ filename, content_type, content_id, size_bytes }) => ({
    filename,
    content_type,
    content_id,
    size_bytes,
  }));
  return { html, text: plain, headers, attachments: files, body_expired: false, body_withheld: false };
}

function emailFieldsOf({ email, recipients }: EmailBundle, body: ShownBody) {
  const { id, project_id, livemode, status, last_event, addressees, features, tags } = email;
  return {
    id,
    object: "email" as const,
    project_id,
    livemode,
    status,
    last_event,
    from: email.from_text,
    to: addressees.to,
    cc: listOf(addressees.cc),
    bcc: listOf(addressees.bcc),
    reply_to: listOf(addressees.reply_to),
    subject: email.subject,
    ...body,
    message_id: email.message_id,
    category: email.category,
    recipients: recipients.map(showRecipient),
    opens: email.opens,
    clicks: email.clicks,
    tracking: { opens: features.opens, clicks: features.clicks },
    unsubscribe: features.unsubscribe,
    tags: tags as Named[],
    metadata: email.metadata,
    status_callback: email.status_callback,
    batch_id: email.batch_id,
    provider: email.provider,
    error: email.error as MessageError | null,
    scheduled_at: isoOf(email.scheduled_at),
    expires_at: isoOf(email.expires_at),
    sent_at: isoOf(email.sent_at),
    delivered_at: isoOf(email.delivered_at),
    version: email.version,
    created_at: isoOf(email.created_at),
    updated_at: isoOf(email.updated_at),
  };
}

function listOf(given: string | string[] | null): string[] {
  return given === null ? [] : [given].flat();
}

function showRecipient(row: RecipientRow) {
  const { address, type, status, attempts, smtp_code, enhanced_code, diagnostic, bounce, sent_at, delivered_at } = row;
  const next_attempt_at = row.state === "waiting" || row.state === "due" ? row.due_at : null;
  const answer = { smtp_code, enhanced_code, diagnostic, bounce };
  const times = { sent_at: isoOf(sent_at), delivered_at: isoOf(delivered_at) };
  return { address, type, status, attempts, next_attempt_at: isoOf(next_attempt_at), ...answer, ...times };
}
