/** Tracks waits for a database, and ends them if it turns out to be unreachable. */
export interface Watch {
  /**
   * Registers a wait for the database; call the returned function when it is over, with whether the database responded. `abandon` is called
   * when the database is found unreachable.
   */
  begin(abandon?: (error: Error) => void): (answered: boolean) => void;
}

export interface WatchOptions {
  /** After how long a wait triggers a check, in milliseconds. */
  noticeMs: number;
  /** Whether the database responds on a separate connection; has its own timeout. */
  look(): Promise<boolean>;
  /** The database responds, although something is waiting. */
  found(): void;
  /** The database doesn't respond: closes every connection. */
  lost(): void;
}

interface Wait {
  since: number;
  abandon: ((error: Error) => void) | undefined;
}

/**
 * If a server disappears silently, behind a balancer that still accepts connections or a network that drops packets, callers wait forever.
 * A long wait therefore triggers a check whether the database responds to others: if it responds to the check or to any other caller, it is
 * only slow, and its own timeouts end the wait.
 */
export function createWatch(options: WatchOptions): Watch {
  // In the order in which they began.
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | undefined;
  let answers = 0;

  const arm = (ms: number) => {
    timer = setTimeout(() => void check(), ms);
    timer.unref();
  };
  const check = async () => {
    timer = undefined;
    const [oldest] = waits;
    if (oldest === undefined) return;
    const left = oldest.since + options.noticeMs - performance.now();
    if (left > 0) return arm(left);
    // Waits that begin during the check haven't lasted long enough to be abandoned.
    const waiting = [...waits];
    const before = answers;
    if ((await options.look()) || answers > before) {
      options.found();
    } else if (waiting.some((wait) => waits.has(wait))) {
      for (const wait of waiting) wait.abandon?.(unreachable());
      options.lost();
    }
    if (timer === undefined && waits.size > 0) arm(options.noticeMs);
  };

  return {
    begin(abandon) {
      const wait: Wait = { since: performance.now(), abandon };
      waits.add(wait);
      if (timer === undefined) arm(options.noticeMs);
      return (answered) => {
        waits.delete(wait);
        if (answered) answers += 1;
      };
    },
  };
}

function unreachable(): Error {
  return Object.assign(new Error("the database does not answer"), { code: "CONNECTION_UNREACHABLE" });
}
