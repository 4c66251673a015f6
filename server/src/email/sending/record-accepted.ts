import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Ctx, Db } from "#platform/index.ts";
import { type AttemptEnding, updateTaken } from "./attempts.sql.ts";
import { attemptOf, type Ended } from "./end-sends.ts";

interface Recordings {
  waiting: { attempt: AttemptEnding; recorded: () => void }[];
  writing: number;
  /** Accepted and not yet recorded. */
  open: number;
  /** Sends that wait until few enough are open. */
  held: (() => void)[];
  usedAt: number;
}

/** While one statement is running, a second one collects later results; more would only make the groups smaller. */
const concurrency = 2;
/**
 * With this many open, no other message is started: that bounds the duplicates after a crash, and a fast server's responses are recorded
 * before more are requested.
 */
const openMax = 8;
/** After this time without a recording the connections may be closed. */
const coldAfterMs = 60_000;
const byDatabase = new WeakMap<Db, Recordings>();

/**
 * Records immediately that a server accepted a message, together with others accepted at the same moment. Everything that follows from it
 * is written in larger groups; if this process is lost before that, the message isn't sent a second time. Never throws: if recording fails,
 * its ending is still stored.
 */
export function recordAccepted(ctx: Ctx, ended: Ended): Promise<void> {
  const recordings = recordingsOf(ctx);
  recordings.open += 1;
  return new Promise((resolve) => {
    recordings.waiting.push({ attempt: attemptOf(ended), recorded: resolve });
    if (recordings.writing < concurrency) void write(ctx, recordings);
  });
}

/**
 * Opens the connections for recording and prepares their statement unless they were used recently: the first responses must not wait for
 * it. Never throws.
 */
export async function warmUpRecording(ctx: Ctx): Promise<void> {
  const recordings = recordingsOf(ctx);
  const isWarm = performance.now() - recordings.usedAt < coldAfterMs;
  recordings.usedAt = performance.now();
  // One more than write concurrently: a round's transaction uses one.
  if (!isWarm) await Promise.allSettled(Array.from({ length: concurrency + 1 }, () => updateTaken(ctx.db, [])));
}

/** Waits until few enough messages are accepted and not yet recorded. */
export async function awaitRecorded(ctx: Ctx): Promise<void> {
  const recordings = recordingsOf(ctx);
  if (recordings.open >= openMax) await new Promise<void>((resolve) => recordings.held.push(resolve));
}

function recordingsOf({ db }: Ctx): Recordings {
  const recordings = byDatabase.get(db) ?? { waiting: [], writing: 0, open: 0, held: [], usedAt: Number.NEGATIVE_INFINITY };
  byDatabase.set(db, recordings);
  return recordings;
}

async function write(ctx: Ctx, recordings: Recordings): Promise<void> {
  recordings.writing += 1;
  // Responses that arrived together are read in one turn.
  await yieldToEventLoop();
  for (let share = recordings.waiting.splice(0); share.length > 0; share = recordings.waiting.splice(0)) {
    const attempts = share.map(({ attempt }) => attempt);
    await updateTaken(ctx.db, attempts).catch((error: unknown) =>
      ctx.log.warn({ err: error }, "accepted messages couldn't be recorded; their final status follows"),
    );
    for (const { recorded } of share) recorded();
    recordings.open -= share.length;
    recordings.usedAt = performance.now();
    if (recordings.open < openMax) for (const begin of recordings.held.splice(0)) begin();
  }
  recordings.writing -= 1;
}
