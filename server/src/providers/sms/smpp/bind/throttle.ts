import type { Pace } from "./pace.ts";

/** Admits messages to a connection: a limited number without a response, a limited number a second, and none while it's shut. */
export interface Throttle {
  /** Waits for a slot; false if patience runs out or the message is aborted first. After true, `leave` must be called. */
  enter(signal: AbortSignal): Promise<boolean>;
  leave(): void;
  open(): void;
  shut(): void;
  /** Rejects all waiting callers, and all later ones. */
  close(): void;
  readonly inUse: number;
}

export function createThrottle(given: { places: number; pace: Pace; timeoutMs: number }): Throttle {
  const waiting: ((entered: boolean) => void)[] = [];
  let inUse = 0;
  let isOpen = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  const pump = (): void => {
    if (timer !== null) return;
    while (isOpen && inUse < given.places && waiting.length > 0) {
      const waitMs = given.pace.take(performance.now());
      if (waitMs > 0) {
        timer = setTimeout(() => {
          timer = null;
          pump();
        }, waitMs);
        return;
      }
      inUse += 1;
      waiting.shift()?.(true);
    }
  };
  return {
    enter(signal) {
      if (isClosed || signal.aborted) return Promise.resolve(false);
      const turn = waitInLine(waiting, { timeoutMs: given.timeoutMs, signal });
      pump();
      return turn;
    },
    leave() {
      inUse -= 1;
      pump();
    },
    open() {
      isOpen = !isClosed;
      pump();
    },
    shut() {
      isOpen = false;
    },
    close() {
      isOpen = false;
      isClosed = true;
      for (const enter of waiting.splice(0)) enter(false);
    },
    get inUse() {
      return inUse;
    },
  };
}

function waitInLine(
  waiting: ((entered: boolean) => void)[],
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancel = () => {
    const at = waiting.indexOf(resolve);
    if (at >= 0) waiting.splice(at, 1);
    resolve(false);
  };
  const timer = setTimeout(cancel, timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  waiting.push(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  });
}
