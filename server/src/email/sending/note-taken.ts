import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Ctx, Db } from "#platform/index.ts";
import { type AttemptEnding, updateTaken } from "./attempts.sql.ts";
import { attemptOf, type Ended } from "./end-sends.ts";

interface Notes {
  waiting: { attempt: AttemptEnding; noted: () => void }[];
  writing: number;
  /** Taken and not yet noted. */
  open: number;
  /** Who begins another message once few enough are open. */
  held: (() => void)[];
  usedAt: number;
}

/** While one statement is in progress, a second one collects later results; more would only make the groups smaller. */
const concurrency = 2;
/** With so many open, no other message is begun: what a crash could send twice stays that small, and a fast server's answers are noted before more are asked for. */
const openMax = 8;
/** After so long without a note the connections may be closed. */
const coldAfterMs = 60_000;
const notesOf = new WeakMap<Db, Notes>();

/**
 * Writes down at once that a server took a message, together with whatever else was taken at the moment. All that follows from it is written in larger
 * shares; should this process be lost before, the message is not sent a second time. Never throws: when it cannot be noted, its ending follows all the same.
 */
export function noteTaken(ctx: Ctx, ended: Ended): Promise<void> {
  const notes = notesFor(ctx);
  notes.open += 1;
  return new Promise((resolve) => {
    notes.waiting.push({ attempt: attemptOf(ended), noted: resolve });
    if (notes.writing < concurrency) void write(ctx, notes);
  });
}

/** Opens the connections that notes go over and has their statement planned, unless that was of late: the first answers must not wait for it. Never throws. */
export async function readyNotes(ctx: Ctx): Promise<void> {
  const notes = notesFor(ctx);
  const isWarm = performance.now() - notes.usedAt < coldAfterMs;
  notes.usedAt = performance.now();
  // One more than write at once: a round's transaction holds one.
  if (!isWarm) await Promise.allSettled(Array.from({ length: concurrency + 1 }, () => updateTaken(ctx.db, [])));
}

/** Waits until few enough messages are taken and not yet noted. */
export async function untilNoted(ctx: Ctx): Promise<void> {
  const notes = notesFor(ctx);
  if (notes.open >= openMax) await new Promise<void>((resolve) => notes.held.push(resolve));
}

function notesFor({ db }: Ctx): Notes {
  const notes = notesOf.get(db) ?? { waiting: [], writing: 0, open: 0, held: [], usedAt: Number.NEGATIVE_INFINITY };
  notesOf.set(db, notes);
  return notes;
}

async function write(ctx: Ctx, notes: Notes): Promise<void> {
  notes.writing += 1;
  // Answers that arrived together are read in one turn.
  await yieldToEventLoop();
  for (let share = notes.waiting.splice(0); share.length > 0; share = notes.waiting.splice(0)) {
    const attempts = share.map(({ attempt }) => attempt);
    await updateTaken(ctx.db, attempts).catch((error: unknown) => ctx.log.warn({ err: error }, "taken messages could not be noted; their endings follow"));
    for (const { noted } of share) noted();
    notes.open -= share.length;
    notes.usedAt = performance.now();
    if (notes.open < openMax) for (const begin of notes.held.splice(0)) begin();
  }
  notes.writing -= 1;
}
