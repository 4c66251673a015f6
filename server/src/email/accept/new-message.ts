import type { SendingTier } from "#messaging/index.ts";
import { bytesIn, type Ctx, canonicalAddress, type Tenant } from "#platform/index.ts";
import type { WithFiles } from "../files/keep-files.ts";
import type { EmailBundle, EmailInput, EmailRow, RecipientRow, StoredAttachment } from "../shapes.ts";
import type { EmailStatus } from "../states.ts";
import { type StoredBody, storeBody } from "../stored-body.ts";
import type { CheckedEmail, CheckedRecipient } from "./check-email.ts";
import { isUnsubscribable } from "./check-parts.ts";

/** A message that passed the rules and is about to be written. */
export interface NewMessage extends EmailBundle, WithFiles {
  tier: SendingTier;
  /** Its texts as they are stored. */
  stored: StoredBody;
}

interface Given {
  tier: SendingTier;
  input: EmailInput;
  checked: CheckedEmail;
  batch_id: string | null;
  /** Its texts contain secrets, such as a link that opens something. */
  secret?: boolean | undefined;
}

/** Builds the rows of a message. */
export function newMessage(ctx: Ctx, tenant: Tenant, given: Given): NewMessage {
  const { tier, input, checked } = given;
  const id = ctx.id("em");
  const status: EmailStatus = checked.scheduled_at === null ? "queued" : "scheduled";
  const files = checked.attachments.map((attachment, index) => ({ key: fileKey({ ...tenant, id }, index), bytes: attachment.bytes }));
  const attachments = checked.attachments.map(({ bytes, ...attachment }, index) => ({
    ...attachment,
    size_bytes: bytes.length,
    file: files[index]?.key ?? "",
  }));
  const email: EmailRow = {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    ...requestedFields(given),
    message_id: `<${id}@${checked.from.domain}>`,
    size_bytes: sizeOf(input, attachments),
    secret: given.secret === true,
    ...initialState(status, ctx.now()),
  };
  const { scheduled_at, expires_at } = checked;
  const rows = checked.recipients.map((recipient, position) =>
    recipientOf(ctx, { tenant, email_id: id, status, recipient, position, scheduled_at, expires_at }),
  );
  const body = { html: input.html ?? null, text: input.text ?? null, headers: input.headers ?? {}, attachments };
  const stored = storeBody(ctx.masterKeys, { email_id: id, body, secret: given.secret === true });
  return { tier, email, recipients: rows, stored, files };
}

/** The fields of a message that come from the request. */
function requestedFields({ input, checked, batch_id }: Given) {
  const { from, recipients, scheduled_at, expires_at } = checked;
  const category = input.category ?? "transactional";
  return {
    from_address: canonicalAddress(from.address),
    from_text: input.from.trim(),
    addressees: { to: input.to, cc: input.cc ?? null, bcc: input.bcc ?? null, reply_to: input.reply_to ?? null },
    subject: input.subject,
    category,
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    features: {
      opens: input.tracking?.opens ?? false,
      clicks: input.tracking?.clicks ?? false,
      unsubscribe: isUnsubscribable(input),
    },
    status_callback: input.status_callback ?? null,
    batch_id,
    recipients: recipients.length,
    scheduled_at,
    expires_at,
  };
}

/** The initial values of every message. */
function initialState(status: EmailStatus, now: Date) {
  const counts = { version: 1, sequence: 1, opens: 0, clicks: 0, delay_told: false };
  return {
    status,
    last_event: status,
    ...counts,
    error: null,
    provider: null,
    sent_at: null,
    delivered_at: null,
    created_at: now,
    updated_at: now,
  };
}

interface RecipientParts {
  tenant: Tenant;
  email_id: string;
  status: EmailStatus;
  recipient: CheckedRecipient;
  position: number;
  scheduled_at: Date | null;
  expires_at: Date;
}

function recipientOf(ctx: Ctx, { tenant, email_id, status, recipient, position, scheduled_at, expires_at }: RecipientParts): RecipientRow {
  const now = ctx.now();
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    email_id,
    position,
    id: ctx.id("dlv"),
    type: recipient.type,
    address: recipient.address,
    domain: recipient.domain,
    status,
    state: scheduled_at === null ? "due" : "waiting",
    due_at: scheduled_at ?? now,
    expires_at,
    attempts: 0,
    step: 0,
    smtp_code: null,
    enhanced_code: null,
    diagnostic: null,
    bounce: null,
    sent_at: null,
    delivered_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** File keys can't contain upper case, so ids are used as they are. */
function fileKey(key: Tenant & { id: string }, index: number): string {
  return `emails/${key.project_id}/${key.livemode ? "live" : "test"}/${key.id}/${index}`;
}

function sizeOf(input: EmailInput, attachments: StoredAttachment[]): number {
  const texts = bytesIn(input.html ?? "") + bytesIn(input.text ?? "");
  return texts + attachments.reduce((sum, one) => sum + one.size_bytes, 0);
}
