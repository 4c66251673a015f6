import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that is done a few pieces at a time. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many pieces of work run at once, and begins no two of them in the same turn of the event loop. What arrives meanwhile is read between them:
 * without that a server's answer would lie unread, and unnoted, until all that began together has used the processor.
 */
export function createTurns(places: number): Turns {
  const waiting: (() => void)[] = [];
  let busy = 0;
  let line = Promise.resolve();
  return async (work) => {
    if (busy === places) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      line = line.then(() => nextTurn());
      await line;
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
