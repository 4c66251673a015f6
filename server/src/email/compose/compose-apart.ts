import { availableParallelism } from "node:os";
import { type AnyText, asBuffer, createThread, JobOverLimit, wholeBuffersOf } from "#platform/index.ts";
import type { Tracking } from "../tracking/track-html.ts";
import type { ComposeParts } from "./compose-email.ts";

/** A message as it is passed to a thread. */
export interface ComposeJob extends Omit<ComposeParts, "html" | "text"> {
  html: AnyText | null;
  text: AnyText | null;
  /** What to track in its HTML; null: nothing. */
  tracking: Tracking | null;
}

/** A thread's result: the message's bytes, or null if its HTML is nested too deeply to be read. */
export type Composed = Uint8Array | null;

/** Thrown for a message that can't be composed within one message's limits, now or later. */
export class TooComplex extends Error {}

/** Composes whole messages from their parts. */
export type Compose = (job: ComposeJob, size: { isLarge: boolean }) => Promise<Buffer>;

interface ComposerOptions {
  /** Milliseconds of processor time that one message may take. */
  limitMs?: number;
}

/** The default of `limitMs`. Genuine messages take a few milliseconds, the largest one second. */
export const composeLimitMs = 5_000;
const limitMb = 1_024;
const program = new URL("./compose-thread.ts", import.meta.url);

/**
 * Composes in another thread, so that this one continues to serve: there, links are inserted, the text is created, parts are encoded and
 * signed. Large messages have their own thread, so that small ones don't wait for them. Takes ownership of the bytes of long texts and
 * attachments: they are empty here afterwards. Throws TooComplex.
 */
export function createComposer({ limitMs = composeLimitMs }: ComposerOptions = {}): Compose {
  const given = { program, handOver: bytesOf, limitMs, limitMb };
  const small = createThread<ComposeJob, Composed>({
    ...given,
    does: "composes messages",
    threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  });
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
