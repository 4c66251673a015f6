import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that is done a few pieces at a time. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so many pieces of work run at once, each in a turn of the event loop of its own. What arrives meanwhile is read between two of them: without that
 * a server's answer would lie unread, and unnoted, until all that began together has used the processor.
 */
export function createTurns(places: number): Turns {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy === places) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      await nextTurn();
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
