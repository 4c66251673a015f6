import type { DkimKey } from "../domain/dkim-key.ts";
import { readMailbox } from "../domain/read-mailbox.ts";
import { attachedPart, type ComposedAttachment } from "./attached-part.ts";
import { calendarPart } from "./calendar-part.ts";
import { signDkim } from "./sign-dkim.ts";
import { subjectInWords } from "./subject-words.ts";

/** Everything that one message consists of. There is no Bcc: who is not named here is not named in the message. */
export interface ComposeParts {
  /** With its angle brackets. */
  message_id: string;
  date: Date;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  reply_to: readonly string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Readonly<Record<string, string>>;
  attachments: readonly ComposedAttachment[];
  /** One-click unsubscribe (RFC 8058). */
  unsubscribe: { url: string } | null;
  /** What mailbox providers count complaints by. */
  feedback_id?: string | null;
  dkim: DkimKey | null;
}

interface Header {
  key: string;
  value: string | { prepared: boolean; value: string };
}

/** The whole message as it goes over the wire, signed when a key is given. Throws when the signature is not as it must be. */
export async function composeEmail(parts: ComposeParts): Promise<Buffer> {
  const html = parts.html === null ? null : withLines(parts.html);
  const text = withLines(parts.text ?? "");
  const words = subjectInWords(parts.subject);
  const calendar = calendarPart(parts.attachments);
  // Loaded with the first mail: a process that sends none does without its memory.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    messageId: parts.message_id,
    date: parts.date,
    from: mailboxOf(parts.from),
    ...(parts.to.length > 0 ? { to: parts.to.map(mailboxOf) } : {}),
    ...(parts.cc.length > 0 ? { cc: parts.cc.map(mailboxOf) } : {}),
    ...(parts.reply_to.length > 0 ? { replyTo: parts.reply_to.map(mailboxOf) } : {}),
    ...(words === null ? { subject: parts.subject } : {}),
    text,
    ...(html === null ? {} : { html }),
    ...(calendar === null ? {} : { alternatives: [calendar] }),
    headers: [...(words === null ? [] : [{ key: "Subject", value: { prepared: true, value: words } }]), ...headersOf(parts)],
    attachments: await Promise.all(parts.attachments.map(attachedPart)),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const raw = await composer.compile().build();
  return parts.dkim === null ? raw : signDkim(raw, parts.dkim, parts.date);
}

/** Read here as it was read when it was accepted: by another reader's rules a colon or a bracket in a name makes another address of it. */
function mailboxOf(text: string): string | { name: string; address: string } {
  const mailbox = readMailbox(text);
  return mailbox === null ? text : { name: mailbox.name ?? "", address: mailbox.address };
}

/** One server corrects a lone CR or LF, the next one refuses it; either way, a signature over it is lost. */
function withLines(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function headersOf({ headers, unsubscribe, feedback_id }: ComposeParts): Header[] {
  const own: Header[] = Object.entries(headers).map(([key, value]) => ({ key, value }));
  if (feedback_id != null) own.push({ key: "Feedback-ID", value: feedback_id });
  if (unsubscribe === null) return own;
  return [
    ...own.filter(({ key }) => !/^list-unsubscribe(-post)?$/i.test(key)),
    // Kept on one line: an address that is folded is read wrongly by some.
    { key: "List-Unsubscribe", value: { prepared: true, value: `<${unsubscribe.url}>` } },
    { key: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ];
}
