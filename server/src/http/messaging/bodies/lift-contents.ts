import { createHash } from "node:crypto";
import { readBase64 } from "#platform/index.ts";

/** Contents under the tokens that stand for them. */
export type Lifted = Map<string, Uint8Array | null>;

/** Shorter ones cost nothing to leave. */
const liftedMin = 1024;

interface Attached {
  attachments?: unknown;
}

/**
 * Takes the long contents of attachments out of a body of one message or of a batch and reads their base64. In their places stand tokens that say which text it
 * was, so that the same body still has the same fingerprint. A token begins with NUL, which no body may hold: nobody can write one.
 */
export function liftContents(body: unknown): Lifted {
  const lifted: Lifted = new Map();
  for (const attachment of attachmentsOf(body)) {
    const { content } = attachment;
    // A blank one has a fault of its own.
    if (typeof content !== "string" || content.length < liftedMin || content.trim() === "") continue;
    const token = `\u0000${createHash("sha256").update(content).digest("hex")}`;
    if (!lifted.has(token)) lifted.set(token, readBase64(content));
    attachment.content = token;
  }
  return lifted;
}

/** Puts into a body what was read of its attachments. */
export function settleContents(body: unknown, lifted: Lifted): void {
  const read = new Map([...lifted].map(([token, bytes]) => [token, { bytes: bytes === null ? null : bufferOn(bytes) }]));
  for (const attachment of attachmentsOf(body)) attachment.content = read.get(attachment.content as string) ?? attachment.content;
}

function bufferOn({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** The attachments of every place that a body may have them in. */
function attachmentsOf(body: unknown): { content: unknown }[] {
  const { emails, messages: named, defaults } = (isObject(body) ? body : {}) as { emails?: unknown; messages?: unknown; defaults?: unknown };
  const messages = [body, defaults, ...listOf(body), ...listOf(emails), ...listOf(named)];
  return messages.flatMap((message) => (isObject(message) ? listOf((message as Attached).attachments) : [])).filter(isObject) as { content: unknown }[];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
