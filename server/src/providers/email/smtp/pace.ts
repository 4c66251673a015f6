import type { Closed } from "./back-off.ts";

/** How fast a relay with a limit per second or minute accepts messages, found by its refusals. Unlimited before the first one. */
export interface Pace {
  /** Waits for the next turn. Returns until when to wait instead, if it would come too late. */
  take(signal: AbortSignal): Promise<Closed | null>;
  /** It refused a message for being too fast. null: it does so at any pace, so it must be paused like any other site. */
  slowDown(reason: string): Closed | null;
  succeed(): void;
}

const firstPauseMs = 1_000;
/** After this many refusals in a row without an acceptance, the pace isn't what is wrong. */
const refusalsMax = 5;
/** A pace far above what connections achieve is no limit. */
const unlimited = 500;
const slowest = 0.2;
/** How much faster it gets every second until it is refused again, and how much slower then. */
const [faster, slower] = [0.02, 0.8];

/** Ends early when `signal` fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

interface PaceOptions {
  now: () => Date;
  timeoutMs: number;
  pause?: Pause | undefined;
}

export function createPace({ now, timeoutMs, pause = timedPause }: PaceOptions): Pace {
  const accepted = countPerSecond(now);
  let perSecond = Number.POSITIVE_INFINITY;
  let [nextAt, refusals] = [0, 0];
  let closed: Closed = { until: new Date(0), reason: "", isDelay: false };
  return {
    async take(signal) {
      // Not compared with an earlier turn: that would be in the future after the clock was set back.
      if (perSecond === Number.POSITIVE_INFINITY) return null;
      const at = now().getTime();
      const turnAt = Math.max(nextAt, at);
      if (turnAt - at > timeoutMs) return { until: new Date(turnAt), reason: closed.reason, isDelay: false };
      nextAt = turnAt + 1_000 / perSecond;
      if (turnAt > at) await pause(turnAt - at, signal);
      return null;
    },
    slowDown(reason) {
      const at = now().getTime();
      // Concurrent messages are refused together, which counts once.
      if (at < closed.until.getTime()) return closed;
      refusals += 1;
      if (refusals > refusalsMax) return null;
      perSecond = Math.max((perSecond === Number.POSITIVE_INFINITY ? accepted.latest() : perSecond) * slower, slowest);
      nextAt = at + firstPauseMs * 2 ** (refusals - 1);
      closed = { until: new Date(nextAt), reason, isDelay: false };
      return closed;
    },
    succeed() {
      accepted.note();
      refusals = 0;
      perSecond += faster;
      if (perSecond > unlimited) perSecond = Number.POSITIVE_INFINITY;
    },
  };
}

/** Counts by full seconds. `latest`: of the present second or the one before, whichever had more. */
function countPerSecond(now: () => Date): { note(): void; latest(): number } {
  let [second, count, before] = [0, 0, 0];
  const move = () => {
    const at = Math.floor(now().getTime() / 1_000);
    if (at === second) return;
    [before, count, second] = [at === second + 1 ? count : 0, 0, at];
  };
  return {
    note() {
      move();
      count += 1;
    },
    latest() {
      move();
      return Math.max(count, before);
    },
  };
}

function timedPause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
