import type { ComposedAttachment } from "./attached-part.ts";

/** How far into a calendar its method is looked for: it stands before the first event. */
const headBytes = 4_096;

/**
 * The first calendar among the attachments, as one more form of the message itself (RFC 6047): mail programs show an invitation with its buttons only when
 * it is one of the message's alternatives. It stays attached as well. null: there is none, or it is not text.
 */
export function calendarPart(attachments: readonly ComposedAttachment[]) {
  const calendar = attachments.find(isCalendar);
  if (calendar === undefined || !isText(calendar.content)) return null;
  const method = methodOf(calendar);
  return {
    contentType: `text/calendar; charset=utf-8${method === null ? "" : `; method=${method}`}`,
    content: Buffer.from(calendar.content),
    contentTransferEncoding: "base64" as const,
  };
}

function isCalendar({ filename, content_type, content_id }: ComposedAttachment): boolean {
  if (content_id !== null) return false;
  return content_type === null ? /\.ics$/i.test(filename) : /^text\/calendar\b/i.test(content_type);
}

/** What the calendar says itself comes first: the two must be the same. */
function methodOf({ content, content_type }: ComposedAttachment): string | null {
  const said = /^METHOD:([A-Za-z-]{1,20})\s*$/im.exec(content.subarray(0, headBytes).toString("utf8"))?.[1];
  return (said ?? /;\s*method="?([A-Za-z-]{1,20})/i.exec(content_type ?? "")?.[1])?.toUpperCase() ?? null;
}

function isText(content: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
