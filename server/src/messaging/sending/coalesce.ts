interface Coalescing {
  /** With this many results, it waits for no more. */
  most: number;
  waitMs: number;
  /** While nothing is in progress, no more results will come, so there is nothing to wait for. */
  isBusy: () => boolean;
  run: () => void;
}

/** Runs once for several results instead of for each: a round of statements costs the database nearly as much for one as for dozens. */
export function createCoalescer({ most, waitMs, isBusy, run }: Coalescing) {
  let timer: NodeJS.Timeout | null = null;
  const cancel = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const runNow = () => {
    cancel();
    run();
  };
  return {
    /** Cancels the pending run; the current one handles everything that has come. */
    cancel,
    /** `unhandled`: the number of results that no run has handled yet. */
    note(unhandled: number) {
      if (unhandled >= most || !isBusy()) runNow();
      else timer ??= setTimeout(runNow, waitMs).unref();
    },
  };
}
