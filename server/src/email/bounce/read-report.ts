import type { Attachment, Email } from "postal-mime";
import { readPlainReport } from "./read-plain-report.ts";
import { oneLine, type ReportedRecipient } from "./reported.ts";

/** An email to a return address, after reading. */
export type Report =
  | { kind: "dsn"; recipients: ReportedRecipient[]; message_id: string | null }
  | {
      kind: "arf";
      feedback_type: string;
      address: string | null;
      /** Addresses that the message came from, according to the report and to the message itself. */
      return_paths: string[];
      /** The last part of the unsubscribe address. */
      unsubscribe_token: string | null;
      message_id: string | null;
    }
  /** Anything else, mostly automatic replies of absent people. Says nothing about delivery. */
  | { kind: "other"; message_id: string | null; message: InboundMessage | null };

/** A message from a person. */
export interface InboundMessage {
  subject: string;
  text: string;
  /** Written by a program, which doesn't expect a reply. */
  isAutomatic: boolean;
}

const limits = { maxNestingDepth: 20, maxHeadersSize: 262_144, maxRfc822NestingDepth: 2, forceRfc822Attachments: true };

/** Reports have three parts. The parser's time grows with the square of the number of parts, so an email with thousands would be slow. */
const boundariesMax = 200;

/**
 * Reads delivery reports (RFC 3464), complaints (RFC 5965) and the plain reports of qmail and Exim. Never throws: an email that can't be
 * read is `other`.
 */
export async function readReport(raw: Buffer): Promise<Report> {
  if (countBoundaries(raw) > boundariesMax) return { kind: "other", message_id: null, message: null };
  const { default: PostalMime } = await import("postal-mime");
  const mail = await PostalMime.parse(raw, limits).catch(() => null);
  if (mail === null) return { kind: "other", message_id: null, message: null };
  const message_id = originalMessageId(mail);
  const feedback = partOf(mail, /^message\/feedback-report$/);
  if (feedback !== undefined) return { ...readFeedback(textOf(feedback), mail), message_id };
  const status = partOf(mail, /^message\/(global-)?delivery-status$/);
  const stated = status === undefined ? [] : readStatus(textOf(status));
  const recipients = stated.length > 0 ? stated : readPlainReport(mail);
  return recipients.length > 0 ? { kind: "dsn", recipients, message_id } : { kind: "other", message_id, message: messageOf(mail) };
}

const textMax = 4_000;

function messageOf({ subject = "", text = "", headers }: Email): InboundMessage {
  const isAutomatic = headers.some(
    ({ key, value }) => (key === "auto-submitted" && !/^no\b/i.test(value)) || key === "list-id" || key === "precedence",
  );
  return { subject: subject.slice(0, 500).toWellFormed(), text: text.slice(0, textMax).toWellFormed(), isAutomatic };
}

/** Counts lines that may begin a part, up to the maximum. */
function countBoundaries(raw: Buffer): number {
  let count = 0;
  for (let at = raw.indexOf("\n--"); at >= 0 && count <= boundariesMax; at = raw.indexOf("\n--", at + 3)) count += 1;
  return count;
}

function readStatus(text: string): ReportedRecipient[] {
  const [, ...groups] = text.split(/\r?\n(?:[ \t]*\r?\n)+/).map(fieldsOf);
  // Some reports put everything into one group.
  const all = groups.some((group) => group.has("action")) ? groups : text.split(/\r?\n(?:[ \t]*\r?\n)+/).map(fieldsOf);
  return all.flatMap((group) => {
    const action = actionOf(group.get("action"));
    if (action === null) return [];
    const [original, final] = [addressOf(group.get("original-recipient")), addressOf(group.get("final-recipient"))];
    const diagnostic = withoutType(group.get("diagnostic-code"));
    return {
      address: original ?? final,
      ...(final === null || final === (original ?? final) ? {} : { final }),
      action,
      enhanced_code: /[245]\.\d{1,3}\.\d{1,3}/.exec(group.get("status") ?? "")?.[0] ?? null,
      smtp_code: Number(/^([245]\d\d)\b/.exec(diagnostic ?? "")?.[1]) || null,
      diagnostic,
      remote: withoutType(group.get("remote-mta")),
    } satisfies ReportedRecipient;
  });
}

/** null if it says nothing about delivery. */
function actionOf(field: string | undefined): ReportedRecipient["action"] | null {
  const word = /^[a-z]+/i.exec(field ?? "")?.[0].toLowerCase() ?? "";
  if (word.startsWith("fail")) return "failed";
  if (word === "delayed") return "delayed";
  return ["delivered", "relayed", "expanded"].includes(word) ? "delivered" : null;
}

function readFeedback(text: string, mail: Email) {
  const fields = fieldsOf(text);
  const original = headersOfOriginal(mail);
  const feedback_type = (fields.get("feedback-type") ?? "abuse").toLowerCase();
  const address = addressOf(fields.get("original-rcpt-to")) ?? addressOf(original.get("to"));
  const return_paths = [fields.get("original-mail-from"), original.get("return-path")].map(addressOf).filter((path) => path !== null);
  const unsubscribe_token = /<https?:\/\/[^<>\s]{1,200}\/([^<>\s/?#]{1,2000})>/i.exec(original.get("list-unsubscribe") ?? "")?.[1] ?? null;
  return { kind: "arf" as const, feedback_type, address, return_paths, unsubscribe_token };
}

/** The Message-ID of the email that the report is about: from its returned headers, otherwise from the report's own references. */
function originalMessageId(mail: Email): string | null {
  const own = headersOfOriginal(mail).get("message-id") ?? mail.inReplyTo ?? mail.references;
  return /<[^<>\s]{1,990}>/.exec(own ?? "")?.[0] ?? null;
}

function headersOfOriginal(mail: Email): Map<string, string> {
  const part = partOf(mail, /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/);
  const text =
    part === undefined
      ? (/^-+ ?(?:below this line is a copy|this is a copy of the message|original message|the header of the original)[^\n]*\n+([\s\S]*)/im.exec(
          mail.text ?? "",
        )?.[1] ?? "")
      : textOf(part);
  return fieldsOf(text.split(/\r?\n\r?\n/, 1)[0] ?? "");
}

function partOf(mail: Email, type: RegExp): Attachment | undefined {
  return mail.attachments.find((attachment) => type.test(attachment.mimeType.toLowerCase()));
}

function textOf({ content }: Attachment): string {
  return typeof content === "string" ? content : Buffer.from(content as ArrayBuffer).toString("utf8");
}

/** Unfolded header-like lines, the first of each name. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** `rfc822; ada@example.com`, `<ada@example.com>`, `Ada <ada@example.com>`. */
function addressOf(field: string | undefined): string | null {
  const plain = withoutType(field) ?? "";
  const address = (/<([^<>]+)>/.exec(plain)?.[1] ?? plain).trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : null;
}

function withoutType(field: string | undefined): string | null {
  if (field === undefined) return null;
  const text = oneLine(field.replace(/^(x-)?[a-z0-9-]{1,30};\s*/i, ""));
  return text === "" ? null : text;
}
