/** A clock that stands still until a test moves it. */
export interface Clock {
  now(): Date;
  set(instant: Date | string): void;
  /** Moves forward by milliseconds. */
  advance(byMs: number): void;
}

export function stoppedClock(start: Date | string): Clock {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    set: (instant) => {
      at = new Date(instant).getTime();
    },
    advance: (byMs) => {
      at += byMs;
    },
  };
}
