import { createThread, jsonOf, longTextMin, type MasterKeys, open, seal } from "#platform/index.ts";
import type { EmailBody, SendBody } from "./shapes.ts";

const placeOf = (emailId: string) => ({ table: "email_bodies", column: "body", row: emailId });

/** What is to be stored: a text, or the pieces that a long one consists of. */
export type StoredText = string | readonly Uint8Array[];

/**
 * A message's texts as they are stored. Those that hold a link that opens something are sealed: who reads the database, or a copy of it, cannot follow it. Long
 * texts stay in pieces, which messages with the same text share.
 */
export function storeBody(keys: MasterKeys, given: { email_id: string; body: SendBody; secret: boolean }): StoredText {
  const { html, text, headers, attachments } = given.body;
  const isShort = [html, text].every((one) => one === null || typeof one === "string");
  if (isShort && !given.secret) return JSON.stringify(given.body);
  const rest = Buffer.from(JSON.stringify({ headers, attachments }).replace("{", ","));
  const pieces = [Buffer.from('{"html":'), jsonOf(html), Buffer.from(',"text":'), jsonOf(text), rest];
  return given.secret ? seal(keys, placeOf(given.email_id), Buffer.concat(pieces)) : pieces;
}

/** How long a stored text is, in characters or bytes. */
export function lengthOfStored(stored: StoredText): number {
  return typeof stored === "string" ? stored.length : stored.reduce((sum, piece) => sum + piece.length, 0);
}

/** What `storeBody` made. */
export function readBody(keys: MasterKeys, emailId: string, stored: string): EmailBody {
  return JSON.parse(stored.startsWith("{") ? stored : open(keys, placeOf(emailId), stored).toString("utf8")) as EmailBody;
}

const readApart = createThread<string, SendBody>({ program: new URL("./stored-body-thread.ts", import.meta.url), does: "reads long texts" });

/** As `readBody`; a long one is read in a thread beside this one, and its long texts come as bytes. */
export async function readSendBody(keys: MasterKeys, emailId: string, stored: string): Promise<SendBody> {
  return stored.length < longTextMin || !stored.startsWith("{") ? readBody(keys, emailId, stored) : readApart(stored);
}
