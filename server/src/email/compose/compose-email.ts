import type { DkimKey } from "../domain/dkim-key.ts";
import { readMailbox } from "../domain/read-mailbox.ts";
import { attachedPart, type ComposedAttachment } from "./attached-part.ts";
import { calendarPart } from "./calendar-part.ts";
import { signDkim } from "./sign-dkim.ts";
import { subjectInWords } from "./subject-words.ts";

/** Everything that one message consists of. There is no Bcc: only addresses in these fields appear in the message. */
export interface ComposeParts {
  /** With angle brackets. */
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
  /** What mailbox providers group complaints by. */
  feedback_id?: string | null;
  dkim: DkimKey | null;
}

interface Header {
  key: string;
  value: string | { prepared: boolean; value: string };
}

/** The whole message as it is sent over the wire, signed if there is a key. Throws if the signature isn't valid. */
export async function composeEmail(parts: ComposeParts): Promise<Buffer> {
  const html = parts.html === null ? null : withLines(parts.html);
  const text = withLines(parts.text ?? "");
  const words = subjectInWords(parts.subject);
  const calendar = calendarPart(parts.attachments);
  // Imported with the first email: a process that sends none saves its memory.
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

/** Parsed here with the rules that accepted it: with another parser's rules, a colon or a bracket in a name makes it another address. */
function mailboxOf(text: string): string | { name: string; address: string } {
  const mailbox = readMailbox(text);
  return mailbox === null ? text : { name: mailbox.name ?? "", address: mailbox.address };
}

/** Some servers correct a lone CR or LF, others refuse it. Either way, a signature over it breaks. */
function withLines(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

function headersOf({ headers, unsubscribe, feedback_id }: ComposeParts): Header[] {
  const own: Header[] = Object.entries(headers).map(([key, value]) => ({ key, value }));
  if (feedback_id != null) own.push({ key: "Feedback-ID", value: feedback_id });
  if (unsubscribe === null) return own;
  return [
    ...own.filter(({ key }) => !/^list-unsubscribe(-post)?$/i.test(key)),
    // On one line, because some clients misread a folded address.
    { key: "List-Unsubscribe", value: { prepared: true, value: `<${unsubscribe.url}>` } },
    { key: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
  ];
}
