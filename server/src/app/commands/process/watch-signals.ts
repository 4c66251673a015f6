/** Requests to stop: the first one asks for an orderly end, the second one for a quick end. */
export interface Signals {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  /**
   * Waits for the first request. The program runs until then even if nothing else keeps it: a worker may have no server, and its
   * connections end with the database.
   */
  wait(): Promise<void>;
  /** Ends the program from within, as a signal would. */
  stop(): void;
}

/** A terminal's Ctrl-C may arrive twice, from the terminal and from the npm that forwards it; that is one request. */
const samePressMs = 800;

const longestTimerMs = 2 ** 31 - 1;

/** Starts listening at once, so that a Ctrl-C during startup takes effect at its end. */
export function watchSignals(): Signals {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let since: number | undefined;
  const onSignal = () => {
    if (since !== undefined && performance.now() - since > samePressMs) second.resolve();
    since ??= performance.now();
    first.resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  const wait = async () => {
    const held = setInterval(() => {}, longestTimerMs);
    await first.promise;
    clearInterval(held);
  };
  return { first: first.promise, second: second.promise, wait, stop: onSignal };
}
