/** Pauses an account that asked for less traffic or can't be used. */
export interface Rest {
  /** null if it isn't paused. */
  until(): Date | null;
  /** Pauses for as long as it asked for, else longer each time in a row. */
  begin(reason: string, durationMs: number | null): void;
  /** The account accepted a message: resets the pauses. */
  end(): void;
}

interface RestOptions {
  now: () => Date;
  up(): void;
  down(reason: string, retryMs: number): void;
}

const firstMs = 1_000;
const longestMs = 60_000;

export function createRest({ now, up, down }: RestOptions): Rest {
  let times = 0;
  let untilMs = 0;
  const until = () => (now().getTime() < untilMs ? new Date(untilMs) : null);
  return {
    until,
    begin(reason, durationMs) {
      // Concurrent messages are refused together, which counts as one refusal.
      if (until() !== null) return;
      times += 1;
      const waitMs = Math.min(durationMs ?? firstMs * 2 ** (times - 1), longestMs);
      untilMs = now().getTime() + waitMs;
      down(reason, waitMs);
    },
    end() {
      if (until() !== null || times === 0) return;
      times = 0;
      up();
    },
  };
}
