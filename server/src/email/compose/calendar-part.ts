import type { ComposedAttachment } from "./attached-part.ts";

/** How many bytes of a calendar are searched for its method, which comes before the first event. */
const headBytes = 4_096;

/**
 * The first calendar among the attachments, as another alternative of the message itself (RFC 6047): mail clients only show an invitation
 * with its buttons if it is one of the message's alternatives. It remains attached as well. null if there isn't one, or it isn't text.
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

/** The calendar's own method takes precedence: the two must match. */
function methodOf({ content, content_type }: ComposedAttachment): string | null {
  const method = /^METHOD:([A-Za-z-]{1,20})\s*$/im.exec(content.subarray(0, headBytes).toString("utf8"))?.[1];
  return (method ?? /;\s*method="?([A-Za-z-]{1,20})/i.exec(content_type ?? "")?.[1])?.toUpperCase() ?? null;
}

function isText(content: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
