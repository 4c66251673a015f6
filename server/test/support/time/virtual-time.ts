import type { After } from "#calls/timers.ts";
import type { Clock } from "./clock.ts";

/** Time that passes when a test says so, for both this process and the database. */
export interface VirtualTime {
  after: After;
  /** Whether nothing waits for its time. */
  isIdle(): boolean;
  /** Advances to what is due next, in steps of some seconds at most, and runs it. */
  step(): void;
}

interface Timer {
  at: number;
  run(): void;
}

/** Short enough that leases can be extended in between. */
const longestMs = 5_000;

export function virtualTime(clock: Clock): VirtualTime {
  const timers = new Set<Timer>();
  return {
    after(ms, run) {
      const timer = { at: clock.now().getTime() + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    isIdle: () => timers.size === 0,
    step() {
      const now = clock.now().getTime();
      const next = [...timers].reduce<Timer | null>((first, one) => (first === null || one.at < first.at ? one : first), null);
      if (next === null) return;
      clock.advance(Math.min(longestMs, Math.max(0, next.at - now)));
      if (next.at > now + longestMs) return;
      timers.delete(next);
      next.run();
    },
  };
}
