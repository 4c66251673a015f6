import { setImmediate as nextTurn } from "node:timers/promises";
import type { Ctx, Db } from "#platform/index.ts";
import { type AttemptEnding, updateTaken } from "./attempts.sql.ts";
import { attemptOf, type Ended } from "./end-sends.ts";

interface Notes {
  waiting: { attempt: AttemptEnding; noted: () => void }[];
  writing: number;
}

/** While one statement is under way a second one takes what came meanwhile; more would only share it out smaller. */
const lanes = 2;
const notesOf = new WeakMap<Db, Notes>();

/**
 * Writes down at once that a server took a message, together with whatever else was taken at the moment. All that follows from it is written in larger
 * shares; should this process be lost before, the message is not sent a second time. Never throws: when it cannot be noted, its ending follows all the same.
 */
export function noteTaken(ctx: Ctx, ended: Ended): Promise<void> {
  const notes = notesOf.get(ctx.db) ?? { waiting: [], writing: 0 };
  notesOf.set(ctx.db, notes);
  return new Promise((resolve) => {
    notes.waiting.push({ attempt: attemptOf(ended), noted: resolve });
    if (notes.writing < lanes) void write(ctx, notes);
  });
}

async function write(ctx: Ctx, notes: Notes): Promise<void> {
  notes.writing += 1;
  // Answers that arrived together are read in one turn.
  await nextTurn();
  for (let share = notes.waiting.splice(0); share.length > 0; share = notes.waiting.splice(0)) {
    const attempts = share.map(({ attempt }) => attempt);
    await updateTaken(ctx.db, attempts, ctx.now()).catch((error: unknown) =>
      ctx.log.warn({ err: error }, "taken messages could not be noted; their endings follow"),
    );
    for (const { noted } of share) noted();
  }
  notes.writing -= 1;
}
