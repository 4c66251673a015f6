export interface ComposedAttachment {
  filename: string;
  content: Buffer;
  content_type: string | null;
  /** Set: shown inside the HTML, which names it as `cid:<content_id>`. */
  content_id: string | null;
}

const bytesType = "application/octet-stream";

/**
 * An attachment as it goes into the message. A message in a message takes no encoding (RFC 2046 §5.2.1), so it is one only if nothing on its way needs to
 * change it: with its line ends as mail has them, in ASCII, and with no line too long. Others, and parts of several parts, go as files of bytes.
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

/** null: these bytes would not come through as they are. */
function asLines(content: Buffer): Buffer | null {
  const text = content.toString("latin1");
  if (/[^\x01-\x7f]/.test(text) || /(?:^|[\r\n])[^\r\n]{999}/.test(text)) return null;
  return Buffer.from(text.replace(/\r\n?|\n/g, "\r\n"), "latin1");
}
