/** Runs something after a delay; the returned function cancels it. Injected, so that tests can control time. */
export type After = (ms: number, run: () => void) => () => void;

/** Real time. */
export const realTime: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
