import type { BackOff, Closed } from "./back-off.ts";

export interface ConnectionLimiterOptions {
  backOff: BackOff;
  /** Messages in progress. */
  connections: number;
  /** How long an email waits for a slot before it's returned to the queue. */
  timeoutMs: number;
  now: () => Date;
}

/** Limits the messages in progress to one site, and admits none during its back-off. */
export interface ConnectionLimiter {
  /** Returns null if a slot was taken; `leave` frees it. */
  enter(signal: AbortSignal): Promise<Closed | null>;
  /** Why `enter` would return a message without letting it wait in line; null if it wouldn't. */
  foresee(): Closed | null;
  leave(): void;
  close(): void;
  /** No message is inside or waiting. */
  readonly isEmpty: boolean;
}

export function createConnectionLimiter({ backOff, connections, timeoutMs, now }: ConnectionLimiterOptions): ConnectionLimiter {
  const waiting: (() => void)[] = [];
  let busy = 0;
  let isClosed = false;
  const soon = (reason: string): Closed => ({ until: new Date(now().getTime() + 1_000 + Math.random() * 2_000), reason, isDelay: false });
  const refusal = (others: number) => (isClosed ? soon("stopping") : backOff.refusal(others));
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  return {
    async enter(signal) {
      const refused = refusal(busy);
      if (refused !== null) return refused;
      if (busy < connections) {
        busy += 1;
        return null;
      }
      if (!(await waitForSlot(waiting, { timeoutMs, signal }))) return soon("every connection to this site is busy");
      // A message ahead in line may have failed since, and started the back-off.
      const late = refusal(busy - 1);
      if (late !== null) leave();
      return late;
    },
    foresee: () => (isClosed ? soon("stopping") : backOff.foresee(busy)),
    leave,
    close() {
      isClosed = true;
    },
    get isEmpty() {
      return busy === 0 && waiting.length === 0;
    },
  };
}

/** Waits in line; false if patience runs out or the email is aborted first. */
function waitForSlot(waiting: (() => void)[], { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const enter = () => resolve(true);
  const cancel = () => {
    const at = waiting.indexOf(enter);
    if (at < 0) return;
    waiting.splice(at, 1);
    resolve(false);
  };
  const timer = setTimeout(cancel, timeoutMs);
  signal.addEventListener("abort", cancel, { once: true });
  waiting.push(enter);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  });
}
