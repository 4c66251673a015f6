import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** Runs pieces of work, a few at a time. */
export type Limited = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most so many pieces of work at once, and yields to the event loop between their starts so that socket reads are not delayed. */
export function limitConcurrency(most: number): Limited {
  const waiting: (() => void)[] = [];
  let busy = 0;
  let line = Promise.resolve();
  return async (work) => {
    if (busy === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      line = line.then(() => yieldToEventLoop());
      await line;
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    }
  };
}
