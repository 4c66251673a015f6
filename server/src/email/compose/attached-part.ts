export interface ComposedAttachment {
  filename: string;
  content: Buffer;
  content_type: string | null;
  /** Set if it is shown inside the HTML, which refers to it as `cid:<content_id>`. */
  content_id: string | null;
}

const bytesType = "application/octet-stream";

/**
 * An attachment as a part of the message. An attached message can't be encoded (RFC 2046 §5.2.1), so it is only sent as one if nothing on
 * the way needs to change it: CRLF line ends, ASCII, no line too long. Others, and multipart types, are sent as binary files.
 */
export async function attachedPart({ filename, content, content_type, content_id }: ComposedAttachment) {
  const named = content_type ?? (await typeOfName(filename));
  const part = { filename, content, contentType: named, ...(content_id === null ? {} : { cid: content_id }) };
  if (!/^(message|multipart)\//i.test(named)) return part;
  const message = /^message\/rfc822\b/i.test(named) ? asLines(content) : null;
  return message === null ? { ...part, contentType: bytesType } : { ...part, content: message, contentType: "message/rfc822" };
}

async function typeOfName(filename: string): Promise<string> {
  const { detectMimeType } = await import("nodemailer/lib/mime-funcs");
  return detectMimeType(filename) || bytesType;
}

/** null if these bytes wouldn't arrive unchanged. */
function asLines(content: Buffer): Buffer | null {
  const text = content.toString("latin1");
  if (/[^\x01-\x7f]/.test(text) || /(?:^|[\r\n])[^\r\n]{999}/.test(text)) return null;
  return Buffer.from(text.replace(/\r\n?|\n/g, "\r\n"), "latin1");
}
