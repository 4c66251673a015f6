import { promisify } from "node:util";
import { deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";

/**
 * A long text as bytes from another thread: it never becomes a string here. As a string, its megabytes would be in this thread's heap,
 * where collecting them blocks all requests.
 */
export interface LongText {
  /** Its JSON in UTF-8, compressed, as it is stored. */
  packed: Uint8Array;
  /** Its length as a string. */
  characters: number;
  /** Its length in UTF-8. */
  bytes: number;
}

/** A text of any length. */
export type AnyText = string | LongText;

/** Shorter texts are cheap to pass around. */
export const longTextMin = 64 * 1024;

/** Higher levels take several times as long and save a few percent of a page. */
const level = 1;

const unpack = promisify(inflateRaw);

/** Call this in another thread: this one would hold the text twice. */
export function longTextOf(text: string): LongText {
  const deflated = deflateRawSync(JSON.stringify(text), { level });
  // Its own memory, which can be transferred.
  return { packed: new Uint8Array(deflated), characters: text.length, bytes: Buffer.byteLength(text) };
}

/** How long a text is as a string. */
export function charactersIn(text: AnyText): number {
  return typeof text === "string" ? text.length : text.characters;
}

/** How long a text is in UTF-8. */
export function bytesIn(text: AnyText): number {
  return typeof text === "string" ? Buffer.byteLength(text) : text.bytes;
}

/** A text as a string; for a long one, call it in another thread. */
export function stringOf(text: AnyText): string {
  return typeof text === "string" ? text : (JSON.parse(inflateRawSync(text.packed).toString("utf8")) as string);
}

/** Like `stringOf`, for a single requested text: only its string is created in this thread. */
export async function readText(text: AnyText): Promise<string> {
  return typeof text === "string" ? text : (JSON.parse((await readJson(text)).toString("utf8")) as string);
}

/** A long text's JSON in UTF-8. */
export function readJson({ packed }: LongText): Promise<Buffer> {
  return unpack(packed);
}

/** The same memory as a Buffer: data from another thread is plain bytes here. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Memory that can be transferred; a part of a larger block, which others use too, is copied. */
export function wholeBuffersOf(all: Iterable<Uint8Array>): ArrayBuffer[] {
  const whole = [...all].filter(({ buffer, byteLength }) => byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}
