import { availableParallelism } from "node:os";
import { type AnyText, asBuffer, createThread, JobOverLimit, wholeBuffersOf } from "#platform/index.ts";
import type { Tracking } from "../tracking/track-html.ts";
import type { ComposeParts } from "./compose-email.ts";

/** A message as it is handed to a thread. */
export interface ComposeJob extends Omit<ComposeParts, "html" | "text"> {
  html: AnyText | null;
  text: AnyText | null;
  /** What of its HTML is to be noticed; null: nothing. */
  tracking: Tracking | null;
}

/** What a thread made of a message: its bytes, or null where its HTML is nested too deeply to be read. */
export type Composed = Uint8Array | null;

/** A message that cannot be composed within what one message may take, now or later. */
export class TooComplex extends Error {}

/** Makes whole messages out of what they consist of. */
export type Compose = (job: ComposeJob, size: { isLarge: boolean }) => Promise<Buffer>;

interface ComposerOptions {
  /** Processor time that one message may take. */
  limitMs?: number;
}

/** Processor time that a message may take unless told otherwise. Honest ones take some milliseconds, the largest one second. */
export const composeLimitMs = 5_000;
const limitMb = 1_024;
const program = new URL("./compose-thread.ts", import.meta.url);

/**
 * Composes in another thread, so that this one keeps serving: links are inserted, the text is created, parts are encoded and signed there.
 * Large messages have a thread of their own, so that small ones do not wait for them. Takes long texts' and attachments' bytes over: they
 * are empty here afterwards. Throws TooComplex.
 */
export function createComposer({ limitMs = composeLimitMs }: ComposerOptions = {}): Compose {
  const given = { program, handOver: bytesOf, limitMs, limitMb };
  const small = createThread<ComposeJob, Composed>({ ...given, does: "composes messages", threads: Math.min(4, Math.max(1, availableParallelism() - 1)) });
  const large = createThread<ComposeJob, Composed>({ ...given, does: "composes large messages" });
  return async (job, { isLarge }) => {
    const composed = await (isLarge ? large : small)(job).catch((error: unknown) => {
      throw error instanceof JobOverLimit ? new TooComplex("The message took too long to compose.", { cause: error }) : error;
    });
    if (composed === null) throw new TooComplex("The HTML is nested too deeply.");
    return asBuffer(composed);
  };
}

export const composeApart: Compose = createComposer();

function bytesOf({ html, text, attachments }: ComposeJob): ArrayBuffer[] {
  const texts = [html, text].flatMap((one) => (one === null || typeof one === "string" ? [] : [one.packed]));
  return wholeBuffersOf([...texts, ...attachments.map(({ content }) => content)]);
}
