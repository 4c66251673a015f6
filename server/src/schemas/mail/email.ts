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
    type: oneOf(recipientTypes, "Where it stood in the request."),
    status: oneOf(emailStatuses, "How far this copy came."),
    attempts: integer("How often it was tried."),
    next_attempt_at: instantOrNull("When it is tried next; null when nothing more is due."),
    smtp_code: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The last answer of the receiving server.", examples: [550] }),
    enhanced_code: textOrNull("Its enhanced status code, such as `5.1.1`."),
    diagnostic: textOrNull("Its words."),
    bounce: shapeOrNull<{ type: string; subtype: string }>("Why it did not arrive.", {
      type: text("`permanent`, `transient` or `undetermined`.", ["permanent"]),
      subtype: text("What it was: `no_email`, `mailbox_full`, `blocked` and so on.", ["no_email"]),
    }),
    sent_at: instantOrNull("When it left."),
    delivered_at: instantOrNull("When the recipient's server took it."),
  },
  { additionalProperties: false, description: "One recipient's copy." },
);

const attachmentOut = Type.Object(
  {
    filename: text("Its name."),
    content_type: textOrNull("Its media type."),
    content_id: textOrNull("Its name in the HTML."),
    size_bytes: integer("Its size."),
  },
  { additionalProperties: false, description: "A file that came with it." },
);

/** Why a message did not arrive. */
export const messageError = shapeOrNull<MessageError>("Why it did not arrive.", {
  code: text("What happened, for programs."),
  message: text("What happened, for people."),
  provider_code: textOrNull("The carrier's own code."),
});

export const emailSchema = shape("Email", "A message and what became of each recipient's copy.", {
  id: idOf("em", "The message's id."),
  object: oneOf(["email"], "Always `email`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  status: oneOf(emailStatuses, "With several recipients, the status of the recipient furthest from done."),
  last_event: textOrNull("The newest event's name without `email.`; opens and clicks show here alone."),
  from: text("The sender as it was sent.", ["Corner Books <orders@shop.example.com>"]),
  to: addresses("The recipients in the shape that they were sent in."),
  cc: Type.Array(Type.String(), { description: "Recipients of copies." }),
  bcc: Type.Array(Type.String(), { description: "Hidden recipients." }),
  reply_to: Type.Array(Type.String(), { description: "Where answers go." }),
  subject: text("The subject."),
  html: textOrNull("The HTML; only when one message is read, and for 30 days."),
  text: textOrNull("The plain text, likewise."),
  headers: Type.Unsafe<Record<string, string> | null>({
    type: ["object", "null"],
    additionalProperties: { type: "string" },
    description: "Headers of yours, likewise.",
  }),
  attachments: Type.Unsafe<AttachmentShape[] | null>({ type: ["array", "null"], items: attachmentOut, description: "The files' names and sizes, likewise." }),
  body_expired: flag("True when one message was read and its body is no longer kept."),
  body_withheld: flag("True for a mail of the installation's own whose text is its recipient's alone, because its link opens an account."),
  message_id: text("The `Message-ID` header."),
  category: oneOf(emailCategories, "What kind of mail it is."),
  recipients: Type.Array(recipient, { description: "Each recipient's copy." }),
  opens: integer("How often it was opened, machines left out."),
  clicks: integer("How often a link was followed, machines left out."),
  tracking: Type.Object(
    { opens: flag("Opens are noticed."), clicks: flag("Clicks are noticed.") },
    { additionalProperties: false, description: "What is noticed." },
  ),
  unsubscribe: flag("Whether it can be unsubscribed from with one click."),
  tags: tagsOut,
  metadata: metadataOut,
  status_callback: textOrNull("Who else is told of its events."),
  batch_id: textOrNull("The batch that it came in."),
  provider: textOrNull("What carried it: `outbox`, `relay`, `mx` or `simulator`."),
  error: messageError,
  scheduled_at: instantOrNull("When it is to be sent."),
  expires_at: instant("When it is given up."),
  sent_at: instantOrNull("When the first copy left."),
  delivered_at: instantOrNull("When the first copy was delivered."),
  version: integer("Grows by one with each change."),
  created_at: instant("When it was accepted."),
  updated_at: instant("When it was last changed."),
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

/** A message without its body, as lists and actions answer it. */
export function showEmail(bundle: EmailBundle) {
  return emailFieldsOf(bundle, noBody);
}

/** One message with its body, while that is kept. `withheld`: it is kept, but not shown. */
export function showWholeEmail({ body, withheld = false, ...bundle }: FoundEmail & { withheld?: boolean }): EmailShape {
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
  const files = attachments.map(({ filename, content_type, content_id, size_bytes }) => ({ filename, content_type, content_id, size_bytes }));
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
