import type { Classified } from "./classify-exchange.ts";

export interface Closed {
  until: Date;
  reason: string;
  /** true: the site accepts no messages now. false: it only has no room for one more. */
  isDelay: boolean;
}

/** Pauses a site after failures, twice as long after each one, and reports until when and why. */
export interface BackOff {
  /** Returns null if a message can be sent now. `busy`: the number of messages in progress. */
  refusal(busy: number): Closed | null;
  /** Like `refusal`, but takes no turn of a site that gets one message a minute. */
  foresee(busy: number): Closed | null;
  fail(classified: Pick<Classified, "reason" | "wait_ms" | "isSlow">): Closed;
  succeed(): void;
  /** The site isn't paused or slowed down. */
  readonly isClear: boolean;
}

const firstBackOffMs = 30_000;
const longestBackOffMs = 1_800_000;
/** A site that asked for less traffic gets one message a minute for an hour and a half. */
const slowForMs = 5_400_000;
const slowEveryMs = 60_000;

interface BackOffOptions {
  now: () => Date;
  onBackOff?: ((reason: string, until: Date) => void) | undefined;
}

export function createBackOff({ now, onBackOff }: BackOffOptions): BackOff {
  let failures = 0;
  let slowUntil = 0;
  let nextSlowAt = 0;
  let lastSlotAt = 0;
  /** Each waiting message gets a minute of its own: if all came back every minute, work would grow with the queue. */
  const nextSlot = (at: number) => {
    lastSlotAt = Math.max(lastSlotAt + slowEveryMs, nextSlowAt > at ? nextSlowAt : at + slowEveryMs);
    return new Date(Math.min(lastSlotAt, slowUntil));
  };
  let closed: Closed = { until: new Date(0), reason: "", isDelay: true };
  const foresee = (busy: number): Closed | null => {
    const at = now().getTime();
    if (at < closed.until.getTime()) return { ...closed, until: new Date(closed.until.getTime() + Math.random() * 2_000) };
    if (at >= slowUntil || (busy === 0 && at >= nextSlowAt)) return null;
    return { until: nextSlot(at), reason: `one message a minute: ${closed.reason}`, isDelay: true };
  };
  return {
    foresee,
    refusal(busy) {
      const refused = foresee(busy);
      const at = now().getTime();
      // A message that is a little late doesn't shift the minutes of those after it.
      if (refused === null && at < slowUntil) nextSlowAt = at - nextSlowAt < slowEveryMs ? nextSlowAt + slowEveryMs : at + slowEveryMs;
      return refused;
    },
    fail({ reason, wait_ms, isSlow }) {
      const at = now().getTime();
      // Concurrent messages fail together, which counts as one failure.
      if (at < closed.until.getTime()) return closed;
      failures += 1;
      const doubled = Math.min(firstBackOffMs * 2 ** (failures - 1), longestBackOffMs) * (0.9 + Math.random() * 0.2);
      closed = { until: new Date(at + Math.max(wait_ms ?? 0, doubled)), reason, isDelay: true };
      if (isSlow) {
        slowUntil = at + slowForMs;
        nextSlowAt = closed.until.getTime();
        lastSlotAt = 0;
      }
      onBackOff?.(reason, closed.until);
      return closed;
    },
    succeed() {
      failures = 0;
    },
    get isClear() {
      return now().getTime() >= Math.max(closed.until.getTime(), slowUntil);
    },
  };
}
