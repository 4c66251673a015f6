import { createHash } from "node:crypto";
import { asBuffer, type LongText, longTextMin, longTextOf, readBase64 } from "#platform/index.ts";

/** Attachments' contents, null if they aren't base64, and long texts, under their tokens. */
export type Lifted = Map<string, Uint8Array | LongText | null>;

/** Long texts under their tokens. */
export type Texts = ReadonlyMap<string, LongText>;

/** Shorter ones can stay. */
const liftedMin = 1024;

const texts = ["html", "text"] as const;

/** A value in the place of a message. */
interface Message {
  attachments?: unknown;
  html?: unknown;
  text?: unknown;
}

/**
 * Extracts the long texts and the long contents of attachments from a body of one message or of a batch, and decodes their base64. They are
 * replaced by tokens that identify the text, so that the same body still has the same fingerprint. A token begins with NUL, which no body
 * can contain, so it can't be forged.
 */
export function liftContents(body: unknown): Lifted {
  const lifted: Lifted = new Map();
  for (const attachment of attachmentsOf(body)) {
    const { content } = attachment;
    // An empty one has its own error.
    if (typeof content !== "string" || content.length < liftedMin || content.trim() === "") continue;
    const token = `\u0000${createHash("sha256").update(content).digest("hex")}`;
    if (!lifted.has(token)) lifted.set(token, readBase64(content));
    attachment.content = token;
  }
  for (const message of messagesOf(body)) {
    for (const name of texts) {
      const text = message[name];
      if (typeof text !== "string" || text.length < longTextMin) continue;
      const token = `\u0000text:${createHash("sha256").update(text).digest("hex")}`;
      if (!lifted.has(token)) lifted.set(token, longTextOf(text));
      message[name] = token;
    }
  }
  return lifted;
}

/** Inserts the extracted values into a body, or a list of messages. */
export function settleContents(body: unknown, lifted: Lifted): void {
  const read = new Map([...lifted].map(([token, one]) => [token, settled(one)]));
  for (const attachment of attachmentsOf(body)) attachment.content = read.get(attachment.content as string) ?? attachment.content;
  for (const message of messagesOf(body))
    for (const name of texts) if (name in message) message[name] = read.get(message[name] as string) ?? message[name];
}

/** The extracted long texts. */
export function textsIn(lifted: Lifted): Texts {
  return new Map([...lifted].filter((one): one is [string, LongText] => one[1] !== null && !(one[1] instanceof Uint8Array)));
}

function settled(one: Uint8Array | LongText | null): { bytes: Buffer | null } | LongText {
  if (one === null) return { bytes: null };
  return one instanceof Uint8Array ? { bytes: asBuffer(one) } : one;
}

/** The messages of a body, in any of their places. */
function messagesOf(body: unknown): Message[] {
  const {
    emails,
    messages: named,
    defaults,
  } = (isObject(body) ? body : {}) as { emails?: unknown; messages?: unknown; defaults?: unknown };
  return [body, defaults, ...listOf(body), ...listOf(emails), ...listOf(named)].filter(isObject);
}

function attachmentsOf(body: unknown): { content: unknown }[] {
  return messagesOf(body)
    .flatMap(({ attachments }) => listOf(attachments))
    .filter(isObject) as { content: unknown }[];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
