/** Waits for a database, and what ends them when it turns out to be unreachable. */
export interface Watch {
  /**
   * Notes that something waits for the database; call the answer when the wait is over, with whether the database answered. `abandon` is called when the database is
   * found unreachable.
   */
  begin(abandon?: (error: Error) => void): (answered: boolean) => void;
}

export interface WatchOptions {
  /** From when on a wait is a reason to look, in milliseconds. */
  noticeMs: number;
  /** Whether the database answers on a connection of its own; ends by itself. */
  look(): Promise<boolean>;
  /** The database answers, and something waits all the same. */
  found(): void;
  /** The database doesn't answer: ends every connection. */
  lost(): void;
}

interface Wait {
  since: number;
  abandon: ((error: Error) => void) | undefined;
}

/**
 * A server that is gone without a word, behind a balancer that still takes connections or a network that drops packets, leaves whoever waits for it waiting. A wait
 * that lasts is therefore a reason to look whether the database answers others: where it answers the look, or anybody meanwhile, it is only slow, and its own limits
 * end the wait.
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
    // What begins while the look lasts has not waited long enough to be given up.
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
