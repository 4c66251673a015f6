import type { Judged } from "./judge.ts";

export interface GateOptions {
  /** Messages under way at once. */
  places: number;
  /** How long a parcel waits for a place before it is handed back. */
  patienceMs: number;
  now: () => Date;
  /** Called when the site is to be left alone for a while. */
  onBackOff?: (reason: string, until: Date) => void;
}

export interface Closed {
  until: Date;
  reason: string;
}

/** Who may go to a site now: so many at once, none while the site backs off, few after it asked for less. */
export interface Gate {
  /** null: a place was taken, `leave` gives it back. */
  enter(signal: AbortSignal): Promise<Closed | null>;
  leave(): void;
  backOff(judged: Judged): Closed;
  succeed(): void;
  close(): void;
  /** Nobody is inside or waiting and nothing is held against the site. */
  readonly isIdle: boolean;
}

const firstBackOffMs = 30_000;
const longestBackOffMs = 1_800_000;
/** A site that asked for less gets one message a minute for an hour and a half. */
const slowForMs = 5_400_000;
const slowEveryMs = 60_000;

export function createGate({ places, patienceMs, now, onBackOff }: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  let busy = 0;
  let failures = 0;
  let isClosed = false;
  let slowUntil = 0;
  let nextSlowAt = 0;
  let closed: Closed = { until: new Date(0), reason: "" };
  const refusalAt = (at: number): Closed | null => {
    if (isClosed) return { until: new Date(at + 1_000), reason: "stopping" };
    if (at < closed.until.getTime()) return { until: new Date(closed.until.getTime() + Math.random() * 2_000), reason: closed.reason };
    if (at >= slowUntil) return null;
    if (busy > 0 || at < nextSlowAt) return { until: new Date(Math.max(nextSlowAt, at + slowEveryMs)), reason: `one message a minute: ${closed.reason}` };
    nextSlowAt = at + slowEveryMs;
    return null;
  };
  return {
    async enter(signal) {
      const at = now().getTime();
      const refusal = refusalAt(at);
      if (refusal !== null) return refusal;
      if (busy < places) busy += 1;
      else if (!(await turn(waiting, { patienceMs, signal }))) {
        return { until: new Date(now().getTime() + 1_000 + Math.random() * 2_000), reason: "every connection to this site is busy" };
      }
      return null;
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) busy -= 1;
      else next();
    },
    backOff({ reason, wait_ms, isSlow }) {
      failures += 1;
      const at = now().getTime();
      const doubled = Math.min(firstBackOffMs * 2 ** (failures - 1), longestBackOffMs) * (0.9 + Math.random() * 0.2);
      closed = { until: new Date(at + Math.max(wait_ms ?? 0, doubled)), reason };
      if (isSlow) {
        slowUntil = at + slowForMs;
        nextSlowAt = closed.until.getTime();
      }
      onBackOff?.(reason, closed.until);
      return closed;
    },
    succeed() {
      failures = 0;
    },
    close() {
      isClosed = true;
    },
    get isIdle() {
      return busy === 0 && waiting.length === 0 && now().getTime() >= Math.max(closed.until.getTime(), slowUntil);
    },
  };
}

/** Waits in line; false when patience or the parcel's own time ended first. */
function turn(waiting: (() => void)[], { patienceMs, signal }: { patienceMs: number; signal: AbortSignal }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const enter = () => resolve(true);
  const giveUp = () => {
    const at = waiting.indexOf(enter);
    if (at < 0) return;
    waiting.splice(at, 1);
    resolve(false);
  };
  const timer = setTimeout(giveUp, patienceMs);
  signal.addEventListener("abort", giveUp, { once: true });
  waiting.push(enter);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  });
}
