export interface Pace {
  /** Milliseconds from the first of several notifications to their common delivery. */
  calmMs: number;
  /** Minimum milliseconds between two deliveries. */
  apartMs: number;
}

/** Collects notifications and delivers them together, at most this often. None is lost: a delivery follows the last one. */
export function gather(notify: (kinds: ReadonlySet<string>) => void, { calmMs, apartMs }: Pace) {
  let waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notifiedAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    const kinds = waiting;
    waiting = new Set();
    timer = undefined;
    notifiedAt = performance.now();
    notify(kinds);
  };
  return {
    add(kind: string): void {
      waiting.add(kind);
      timer ??= setTimeout(flush, Math.max(calmMs, notifiedAt + apartMs - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}
