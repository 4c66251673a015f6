import { type AnyText, createThread, type LongText, longTextMin, type MasterKeys, open, seal, stringOf } from "#platform/index.ts";
import type { EmailBody, SendBody, StoredAttachment } from "./shapes.ts";

const placeOf = (emailId: string) => ({ table: "email_bodies", column: "body", row: emailId });

/** How many bytes of a long text one row holds. */
export const partBytes = 48 * 1024;

/** A message's texts as they are stored. */
export interface StoredBody {
  body: string;
  /** Long texts, one after the other, before they are cut into parts. Messages with the same text share its memory. */
  long: readonly Uint8Array[];
}

/** Where a long text is stored: which of a message's parts belong to it, its packed length and its length as text. */
export interface Parted extends Omit<LongText, "packed"> {
  first: number;
  parts: number;
  packed: number;
}

/**
 * Contains the attachments too. An older version that doesn't know about parts shows the body's own attachments and sends nothing: the
 * first one's file doesn't exist.
 */
interface PartedBody extends SendBody {
  parted?: { attachments: StoredAttachment[]; html: Parted | null; text: Parted | null };
}

/**
 * A message's texts as they are stored. Those with a link that opens something are sealed, so that it can't be followed from the database
 * or a copy of it. Long texts are stored separately, in parts.
 */
export function storeBody(keys: MasterKeys, given: { email_id: string; body: SendBody; secret: boolean }): StoredBody {
  const { html, text, ...rest } = given.body;
  if (given.secret) {
    const whole = JSON.stringify({ html: html && stringOf(html), text: text && stringOf(text), ...rest });
    return { body: seal(keys, placeOf(given.email_id), whole), long: [] };
  }
  const long = [html, text].filter(isLong);
  if (long.length === 0) return { body: JSON.stringify(given.body), long: [] };
  const first = partedOf(html, 0);
  const parted = { attachments: rest.attachments, html: first, text: partedOf(text, first?.parts ?? 0) };
  const short = { html: isLong(html) ? null : html, text: isLong(text) ? null : text };
  const attachments = [missingFile(long), ...rest.attachments];
  return { body: JSON.stringify({ ...short, headers: rest.headers, attachments, parted }), long: long.map(({ packed }) => packed) };
}

/** Keeps an older version from sending a message without its text: it waits for a missing file, and a newer version sends the message. */
function missingFile(long: readonly LongText[]): StoredAttachment {
  const size_bytes = long.reduce((sum, { bytes }) => sum + bytes, 0);
  return { filename: "text-in-parts", content_type: "text/plain", content_id: null, size_bytes, file: "emails/text-in-parts" };
}

/** How many parts this many bytes are cut into. */
export function partsIn(bytes: number): number {
  return Math.ceil(bytes / partBytes);
}

function partedOf(text: AnyText | null, first: number): Parted | null {
  if (!isLong(text)) return null;
  const { packed, ...lengths } = text;
  return { first, parts: partsIn(packed.length), packed: packed.length, ...lengths };
}

function isLong(text: AnyText | null): text is LongText {
  return text !== null && typeof text === "object";
}

/** Reads what `storeBody` made of short texts. */
export function readBody(keys: MasterKeys, emailId: string, stored: string): EmailBody {
  return JSON.parse(stored.startsWith("{") ? stored : open(keys, placeOf(emailId), stored).toString("utf8")) as EmailBody;
}

/** The owner of the texts, and the stored text of its row. */
export interface StoredRow {
  email_id: string;
  stored: string;
  /** Reads the bytes of the parts. */
  gather(parted: Parted): Promise<Uint8Array>;
}

const readApart = createThread<string, PartedBody>({
  program: new URL("./stored-body-thread.ts", import.meta.url),
  does: "reads long texts",
});

/** Reads what `storeBody` made, with long texts as bytes. A text that an earlier version stored as a whole is read in another thread. */
export async function readSendBody(keys: MasterKeys, { email_id, stored, gather }: StoredRow): Promise<SendBody> {
  const isShort = stored.length < longTextMin || !stored.startsWith("{");
  const { parted, ...body }: PartedBody = isShort ? readBody(keys, email_id, stored) : await readApart(stored);
  if (parted === undefined) return body;
  const longOf = async ({ characters, bytes, ...place }: Parted) => ({
    packed: await gather({ ...place, characters, bytes }),
    characters,
    bytes,
  });
  const html = parted.html === null ? body.html : await longOf(parted.html);
  return { ...body, html, text: parted.text === null ? body.text : await longOf(parted.text), attachments: parted.attachments };
}
