import type { Add, Why } from "#messaging/index.ts";
import { type ErrorDetail, readBase64 } from "#platform/index.ts";
import type { AttachmentInput, EmailInput } from "../shapes.ts";
import { hasControl, hasLongWord, turnsWriting } from "./address-rules.ts";

export interface DecodedAttachment {
  filename: string;
  content_type: string | null;
  content_id: string | null;
  bytes: Buffer;
}

export const attachmentBytesMax = 25 * 1024 * 1024;
const attachmentsMax = 50;
const headersMax = 50;
const ownHeaders = new Set([
  "from",
  "sender",
  "to",
  "cc",
  "bcc",
  "reply-to",
  "subject",
  "date",
  "message-id",
  "mime-version",
  "return-path",
  "received",
  "dkim-signature",
  "authentication-results",
  "delivered-to",
  "feedback-id",
]);
const ownFamilies = /^(content|resent|arc|x-tillpost)-/;
/** Relays take these as commands: other recipients, copies, no suppressions. Quotas and suppressions know nothing of that. */
const relayCommands = /^x-(smtpapi|msys-api)$|^x-(mc|ses|mailgun|pm|mj|sib|mandrill)-/;
const headerName = /^[A-Za-z0-9][A-Za-z0-9-]{0,75}$/;

/** True if recipients can unsubscribe: always for marketing. */
export function isUnsubscribable({ unsubscribe, category }: Pick<EmailInput, "unsubscribe" | "category">): boolean {
  return unsubscribe === true || category === "marketing";
}

/** Refuses headers that the service writes itself, invalid names, and values that would end their line. */
export function checkHeaders(input: EmailInput, add: Add): void {
  const entries = Object.entries(input.headers ?? {});
  if (entries.length > headersMax)
    add("headers", "header_not_allowed", {
      reason: "too_many",
      values: { max: headersMax },
      message: `A message can have up to ${headersMax} headers.`,
    });
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const param = `headers.${name.slice(0, 80)}`;
    const lower = name.toLowerCase();
    if (!headerName.test(name))
      add(param, "header_not_allowed", { reason: "header_name", message: "Header names can only contain letters, digits and hyphens." });
    else if (ownHeaders.has(lower) || ownFamilies.test(lower))
      add(param, "header_not_allowed", { reason: "own_header", values: { value: name }, message: `${name} is set by the service.` });
    else if (relayCommands.test(lower))
      add(param, "header_not_allowed", {
        reason: "relay_header",
        values: { value: name },
        message: `${name} gives commands to mail services, so it can't be set.`,
      });
    else if (lower.startsWith("list-unsubscribe") && isUnsubscribable(input))
      add(param, "header_not_allowed", {
        reason: "own_header",
        values: { value: name },
        message: `${name} is set by the service when unsubscribe is true, and on marketing.`,
      });
    else if (hasControl(value))
      add(param, "header_not_allowed", {
        reason: "forbidden_characters",
        message: "Header values can't contain line breaks or control characters.",
      });
    else if (Buffer.byteLength(value) > 2000)
      add(param, "header_not_allowed", {
        reason: "too_many_bytes",
        values: { max: 2000 },
        message: "A header value can have up to 2000 bytes.",
      });
    else if (hasLongWord(value))
      add(param, "header_not_allowed", {
        reason: "word_too_long",
        values: { max: 900 },
        message: "Each word of a header can have up to 900 bytes, because email lines are limited.",
      });
    if (seen.has(lower)) add(param, "header_not_allowed", { reason: "repeated", message: "Send each header only once." });
    seen.add(lower);
  }
}

/** Decodes attachments; what can't be read is a fault. */
export function readAttachments(input: EmailInput, add: Add): DecodedAttachment[] {
  const given = input.attachments ?? [];
  if (given.length > attachmentsMax)
    add("attachments", "attachment_invalid", {
      reason: "too_many",
      values: { max: attachmentsMax },
      message: `A message can have up to ${attachmentsMax} attachments.`,
    });
  const read = given
    .slice(0, attachmentsMax)
    .flatMap((attachment, index) => readAttachment(attachment, { at: `attachments[${index}]`, add }));
  const total = read.reduce((sum, one) => sum + one.bytes.length, 0);
  if (total > attachmentBytesMax)
    add("attachments", "attachment_invalid", {
      reason: "too_many_bytes",
      values: { max: attachmentBytesMax },
      message: "Attachments can be up to 25 MB in total, decoded.",
    });
  return read;
}

function readAttachment(given: AttachmentInput, { at, add }: { at: string; add: Add }): DecodedAttachment[] {
  const { filename, content, content_type, content_id } = given;
  const faults: ErrorDetail[] = [];
  const fault = (param: string, why: Why) => {
    faults.push({ param, code: "attachment_invalid", ...why });
    add(param, "attachment_invalid", why);
  };
  if (filename.trim() === "" || Buffer.byteLength(filename) > 255 || hasControl(filename) || /[/\\]/.test(filename))
    fault(`${at}.filename`, { reason: "file_name", message: "A file name has 1 to 255 bytes, without a path or control characters." });
  else if (turnsWriting(filename))
    fault(`${at}.filename`, {
      reason: "turned_writing",
      message: "File names can't contain characters that reverse the writing direction.",
    });
  if (
    content_type != null &&
    !/^(?!multipart\/)[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w-]+=("[^"\\\u0000-\u001f\u007f]{0,100}"|[\w.+-]{1,100})){0,5}$/i.test(
      content_type,
    )
  )
    fault(`${at}.content_type`, { reason: "media_type", message: "This isn't a media type of a single file." });
  if (content_id != null && !/^[\w.+@-]{1,200}$/.test(content_id))
    fault(`${at}.content_id`, { reason: "content_id", message: "Content IDs can only contain letters, digits and . _ + @ - characters." });
  const bytes = typeof content === "string" ? readBase64(content) : content.bytes;
  const isEmpty = typeof content === "string" && content.trim() === "";
  if (bytes === null)
    fault(
      `${at}.content`,
      isEmpty ? { reason: "empty", message: "The file is empty." } : { reason: "not_base64", message: "The content isn't base64." },
    );
  return bytes === null || faults.length > 0
    ? []
    : [{ filename, content_type: content_type ?? null, content_id: content_id ?? null, bytes }];
}
